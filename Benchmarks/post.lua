-- Makes wrk send the body that an environment variable contains.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = os.getenv("POST_BODY")
