-- Has wrk send the body that is in the environment.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = os.getenv("POST_BODY")
