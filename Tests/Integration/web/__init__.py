"""The HTTP interface as the page, scripts and Prometheus use it."""
