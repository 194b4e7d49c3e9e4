-- Refers a new person with every request. In the body, {number} becomes a valid NHS number of the test range, and {name}
-- their own last name. The numbers begin with 999, count up, and end in a check digit by modulus 11.
local body = ""
local count = 0

function init(args)
  wrk.method = "POST"
  body = args[1]
  -- A second run continues where the first one stopped.
  count = tonumber(args[2] or "0")
  -- Each connection pauses between its requests: this many milliseconds on average.
  local pause = tonumber(args[3] or "0")
  if pause > 0 then
    function delay() return math.random(2 * pause) end
  end
end

local function check_digit(digits)
  local sum = 0
  for position = 1, 9 do sum = sum + tonumber(digits:sub(position, position)) * (11 - position) end
  return (11 - sum % 11) % 11
end

local function number_of(patient)
  -- One in eleven would need the check digit 10, and is nobody's number.
  local digits = string.format("999%06d", patient)
  local check = check_digit(digits)
  return check < 10 and digits .. check or nil
end

function request()
  local number
  repeat
    count = count + 1
    number = number_of(count % 1000000)
  until number
  local sent = body:gsub("{number}", number):gsub("{name}", "Example" .. count)
  return wrk.format(nil, nil, nil, sent)
end
