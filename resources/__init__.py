"""What it is done with: settings, ledger, index, encoder, quality, mailer, workers, locks."""
