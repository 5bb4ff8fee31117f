"""Views: translate a request, call one action or report, render."""
