"""When it is done: the Dagster room. Nothing else imports dagster at module level."""
