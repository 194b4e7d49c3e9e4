-- Makes up access tokens. "unknown" ones have this site's tag and a valid checksum, so the site looks them up. "foreign"
-- ones have another tag, and "malformed" ones a wrong checksum.
local bit = require("bit")
local digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
local kind, tag, crc_of = "unknown", "", {}

function init(args)
  kind, tag = args[1], args[2]
  math.randomseed(tonumber(args[3]))
  for byte = 0, 255 do
    local value = byte
    for _ = 1, 8 do
      local low = bit.band(value, 1)
      value = bit.rshift(value, 1)
      if low == 1 then value = bit.bxor(value, 0xEDB88320) end
    end
    crc_of[byte] = value
  end
end

local function random(length)
  local out = {}
  for position = 1, length do
    local at = math.random(62)
    out[position] = digits:sub(at, at)
  end
  return table.concat(out)
end

local function checksum(text)
  local value = -1
  for position = 1, #text do
    local index = bit.band(bit.bxor(value, text:byte(position)), 0xFF)
    value = bit.bxor(bit.rshift(value, 8), crc_of[index])
  end
  value = bit.bnot(value)
  if value < 0 then value = value + 4294967296 end
  local out = ""
  for _ = 1, 6 do
    local at = value % 62
    out = digits:sub(at + 1, at + 1) .. out
    value = math.floor(value / 62)
  end
  return out
end

function request()
  local start = "ona_" .. (kind == "foreign" and random(6) or tag) .. "_" .. random(43)
  local ending = kind == "malformed" and random(6) or checksum(start)
  return wrk.format("GET", nil, { Authorization = "Bearer " .. start .. ending })
end
