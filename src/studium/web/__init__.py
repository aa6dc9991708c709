"""The pages: what a learner sees and decides in the browser, on the same app as the HTTP interface."""
