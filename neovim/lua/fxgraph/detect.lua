-- Which buffers hold printed FX graphs: told by the file names that torch and tlparse give, else by the first lines.
local M = {}

-- How much of a buffer is looked at: its first bytes, as in VS Code, and of each line the beginning.
local BYTES, COLUMNS = 64 * 1024, 2000

local NAMES = {
  'dynamo_output_graph', 'aot_joint_graph', 'aot_forward_graph', 'aot_backward_graph', 'aot_inference_graph',
  'before_joint_graph', 'after_joint_graph', 'before_pre_grad_graph', 'after_pre_grad_graph', 'inductor_pre_grad_graph',
  'before_post_grad_graph', 'after_post_grad_graph', 'inductor_post_grad_graph', 'compiled_autograd_graph',
  'exported_program', 'fx_graph_runnable', 'fx_graph_readable', 'fx_graph_transformed',
}
-- What may follow the name: `_7.txt`, as tlparse counts.
local ENDS = { '%.txt$', '_%d+%.txt$' }
local LONGER_NAMES = {
  'optimize_ddp_split_graph.*%.txt$', 'optimize_ddp_split_child.*%.txt$', 'aot_inference_graph_after_hop_passes.*%.txt$',
  'compiled_autograd_graph_pre_reordering.*%.txt$', 'min_cut_failed_graph.*%.txt$', 'min_cut_failed_fx_graph.*%.txt$',
  'inductor_output_code.*%.txt$',
}
-- The only names that torch gives to Python files: a user's `test_exported_program.py` is a program.
local PYTHON_NAMES = { 'fx_graph_readable%.py$', 'fx_graph_runnable%.py$', 'fx_graph_transformed%.py$' }

local LOGGED = {
  graph = true, graph_code = true, aot_graphs = true, aot_joint_graph = true, pre_grad_graphs = true,
  post_grad_graphs = true, ddp_graphs = true, compiled_autograd = true, compiled_autograd_verbose = true,
  trace_bytecode = true, -- in a log of all that dynamo says (`TORCH_LOGS=+dynamo`); the graphs stand below
}
local OPCODES = { placeholder = true, get_attr = true, call_function = true, call_method = true, call_module = true }

-- Whether `pattern` is the whole name, or all of it behind a prefix such as `-_0_0_0_` of the folder it came from.
local function begins(name, pattern, prefix)
  local at = name:find(pattern)
  return at ~= nil and (at == 1 or name:sub(1, at - 1):find(prefix) ~= nil)
end

--- Whether torch or tlparse gives files this name.
---@param path string
function M.by_name(path)
  local name = vim.fs.basename(path)
  if name == 'output_code.py' then
    return path:find('[/\\]torchinductor[/\\][^/\\]+[/\\]output_code%.py$') ~= nil
  end
  for _, stem in ipairs(NAMES) do
    for _, tail in ipairs(ENDS) do
      if begins(name, stem .. tail, '[-.%d]_?_?$') then
        return true
      end
    end
  end
  return name:find('dedicated_log_torch_trace.*%.log$') ~= nil
    or vim.iter(LONGER_NAMES):any(function(pattern) return begins(name, pattern, '[-.%d]_?_?$') end)
    or vim.iter(PYTHON_NAMES):any(function(pattern) return begins(name, pattern, '[-%d]__?$') end)
end

local function is_record(line)
  for opcode in line:gmatch('users=%d+%] = ([%l_]+)%[target=') do
    if OPCODES[opcode] then
      return true
    end
  end
  return false
end

local function is_head(line)
  return line:find('^graph%(%)') ~= nil or line:find('[^%w_.]graph%(%)') ~= nil and line:find(':%s*$') ~= nil
end

local function is_table(line)
  return line:find('opcode  +name +target +args +kwargs%s*$') ~= nil
end

local function is_logged(line)
  local artefact = line:match('[%[.]__([%l_]+)%] ') or line:match('%.__([%l_]+): %[%u+%] ')
  return artefact ~= nil and LOGGED[artefact] == true or line:find('^[VDIWEC]%d%d%d%d .*%] {".*"has_payload": "') ~= nil
end

-- `;  x = None` behind two blanks, or `x: "f32[2, 3]"`: a person writes neither.
local function is_of_torch(line)
  return line:find(';  [%w_]+ = None') ~= nil
    or line:find(';  [%w_]+ = [%w_ =]+ = None') ~= nil
    or line:find('[%w_]: ?"[fiuc]%d+%[') ~= nil
    or line:find('[%w_]: ?"b%l?%d+%[') ~= nil
    or line:find('[%w_]: ?"f8%w+%[') ~= nil
    or line:find('[%w_]: ?"Sym%(') ~= nil
end

-- The triple quote that is open behind a line; inside of one kind the other is text.
local function quote_behind(line, open)
  local at = 1
  while true do
    local double, single = line:find('"""', at, true), line:find("'''", at, true)
    local first = math.min(double or math.huge, single or math.huge)
    if first == math.huge then
      return open
    end
    local quote = first == double and '"' or "'"
    if not open then
      open = quote
    elseif open == quote then
      open = nil
    end
    at = first + 3
  end
end

--- Whether these lines are, or hold, a dump.
---@param lines string[]
---@param python boolean a program that quotes dumps, in strings and comments, is still a program
function M.by_lines(lines, python)
  local records, quoted, begun = 0, nil, false
  local headed, fragment, in_function = false, false, false
  for _, line in ipairs(lines) do
    line = line:sub(1, COLUMNS):gsub('\27%[[%d;]*m', '')
    quoted = quote_behind(line, quoted)
    local counts = not (python and (quoted or line:find('^%s*[rbfu]?[rbfu]?["\'][^"\']')))
    local first = not begun and line:find('%S') ~= nil
    begun = begun or first
    if counts then
      if fragment and line:find('%%[%w_]+ : ') then
        return true
      end
      fragment = line:find('Graph fragment:%s*$') ~= nil
      in_function = in_function or line:find(python and '^%s*def forward%(' or '%f[%w_]def forward%(') ~= nil
      if in_function and is_of_torch(line) then
        return true
      end
    end
    if not python or first then
      headed = headed or is_head(line)
      records = records + (is_record(line) and 1 or 0)
      if is_table(line) or not python and is_logged(line) then
        return python and line:find('^opcode') ~= nil or not python
      end
      if records >= 2 or records == 1 and headed or python and (headed or records == 1) and line:find('^%s*[g%%]') then
        return true
      end
    end
  end
  return false
end

-- The first lines of a buffer, a chunk at a time: never the whole of a long one.
local function beginning(buffer)
  local lines, bytes = {}, 0
  while bytes < BYTES do
    local more = vim.api.nvim_buf_get_lines(buffer, #lines, #lines + 100, false)
    for _, line in ipairs(more) do
      bytes = bytes + math.min(#line, COLUMNS) + 1
      lines[#lines + 1] = line
      if bytes >= BYTES then
        break
      end
    end
    if #more == 0 then
      break
    end
  end
  return lines
end

--- For vim.filetype.add(): 'fxgraph', or nil where Neovim's own rules decide.
---@param path string
---@param buffer integer
function M.filetype(path, buffer)
  local python = path:find('%.py$') ~= nil
  if python and vim.g.fxgraph_keep_python then
    return nil
  end
  if M.by_name(path) then
    return 'fxgraph'
  end
  if buffer and vim.api.nvim_buf_is_valid(buffer) then
    return M.by_lines(beginning(buffer), python) and 'fxgraph' or nil
  end
end

return M
