-- Sends one body again and again. Its content type comes as a header.
function init(args)
  wrk.method = "POST"
  wrk.body = args[1]
end
