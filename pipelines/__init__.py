"""What is done: pure functions and records; no dagster, no handles of their own."""
