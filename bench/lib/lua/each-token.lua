-- Sends the tokens of a file in order, as the bearer. After the last one it begins again.
local tokens = {}
local sent = 0

function init(args)
  for line in io.lines(args[1]) do tokens[#tokens + 1] = line end
  -- A second run on the same file continues where the first one stopped.
  sent = tonumber(args[2] or "0")
end

function request()
  sent = sent + 1
  return wrk.format("GET", nil, { Authorization = "Bearer " .. tokens[(sent - 1) % #tokens + 1] })
end
