-- Requests the address in each line of a file, in order. After the last line it begins again.
local lines = {}
local sent = 0

function init(args)
  for line in io.lines(args[1]) do lines[#lines + 1] = line end
  -- A second run on the same file continues where the first one stopped.
  sent = tonumber(args[2] or "0")
  -- Each connection pauses between its requests: this many milliseconds on average.
  local pause = tonumber(args[3] or "0")
  if pause > 0 then
    function delay() return math.random(2 * pause) end
  end
end

function request()
  sent = sent + 1
  return wrk.format("GET", lines[(sent - 1) % #lines + 1])
end
