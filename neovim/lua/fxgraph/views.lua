-- Graphs in other forms, in buffers beside the dump that follow its changes.
local ask = require('fxgraph.ask')

local M = {}

--- What the user calls a form -> what the server calls it.
M.KINDS = { graph = 'graph_str', code = 'readable', table = 'table', bare = 'bare' }

-- Milliseconds after the last change of a dump before its views are written anew.
local REST = 300

local namespace = vim.api.nvim_create_namespace('fxgraph.views')

-- By buffer: source (buffer of the dump), client (id), kind, graph (its number at last), lines (line of the view -> line
-- of the dump), mark (on a line of its graph: finds it again whatever comes or goes above it).
local views = {}
local timers = {}

local function is_shown(buffer)
  return vim.api.nvim_buf_is_valid(buffer) and vim.api.nvim_buf_is_loaded(buffer)
end

local function views_of(source)
  return vim.tbl_filter(function(buffer) return is_shown(buffer) and views[buffer].source == source end, vim.tbl_keys(views))
end

local function remember(buffer, answer)
  local view = views[buffer]
  view.graph, view.lines = answer.graph, answer.lines
  if answer.version ~= vim.lsp.util.buf_versions[view.source] then
    return -- the answer to an older question does not know where the graph is now
  end
  local _, line = vim.iter(answer.lines):enumerate():find(function(_, line) return type(line) == 'number' end)
  local text = line and vim.api.nvim_buf_get_lines(view.source, line, line + 1, false)[1]
  if text then
    view.mark = vim.api.nvim_buf_set_extmark(view.source, namespace, line, 0, {
      id = view.mark,
      end_col = #text,
      invalidate = true,
    })
  end
end

local function write(buffer, text)
  local lines = vim.split(text:gsub('\n$', ''), '\n', { plain = true })
  local places = {}
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    places[window] = vim.api.nvim_win_call(window, vim.fn.winsaveview)
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  for window, place in pairs(places) do
    vim.api.nvim_win_call(window, function() vim.fn.winrestview(place) end)
  end
end

local function rewrite(buffer)
  local view = views[buffer]
  local client = vim.lsp.get_client_by_id(view.client)
  if not client then
    return
  end
  local asked = { textDocument = { uri = vim.uri_from_bufnr(view.source) }, graph = view.graph, kind = view.kind }
  local place = view.mark and vim.api.nvim_buf_get_extmark_by_id(view.source, namespace, view.mark, { details = true })
  if place and place[1] and not place[3].invalid then
    asked.position = { line = place[1], character = place[3].end_col or 0 } -- the server takes what is too far back
  end
  client:request('fxgraph/view', asked, function(problem, answer)
    -- Where its graph has gone the view keeps what it shows.
    if not problem and answer and is_shown(buffer) and is_shown(view.source) then
      remember(buffer, answer)
      write(buffer, answer.text)
    end
  end, view.source)
end

local function follow(source)
  local function soon()
    if #views_of(source) == 0 then
      timers[source] = nil
      return true -- nobody looks any more
    end
    local timer = timers[source] or assert(vim.uv.new_timer())
    timers[source] = timer
    timer:start(REST, 0, vim.schedule_wrap(function() vim.iter(views_of(source)):each(rewrite) end))
  end
  vim.api.nvim_buf_attach(source, false, { on_lines = soon, on_reload = soon })
end

local function select(client, buffer, selection)
  if type(selection) ~= 'table' then
    return
  end
  local place = selection.start
  local line = vim.api.nvim_buf_get_lines(buffer, place.line, place.line + 1, true)[1]
  local column = vim.str_byteindex(line, client.offset_encoding, place.character, false)
  vim.api.nvim_win_set_cursor(0, { place.line + 1, column })
end

local function open(source, client, answer)
  local buffer = vim.api.nvim_create_buf(false, true)
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(source))
  vim.api.nvim_buf_set_name(buffer, ('fxgraph-view://%d/%s/%s'):format(buffer, answer.kind, name))
  vim.bo[buffer].bufhidden, vim.bo[buffer].modifiable = 'wipe', false
  local is_followed = #views_of(source) > 0
  views[buffer] = { source = source, client = client.id, kind = answer.kind }
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buffer,
    once = true,
    callback = function()
      pcall(vim.api.nvim_buf_del_extmark, source, namespace, views[buffer].mark or 0)
      views[buffer] = nil
    end,
  })
  vim.keymap.set('n', '<CR>', M.to_source, { buffer = buffer, desc = 'to this line in the dump' })
  if not is_followed then
    follow(source)
  end
  return buffer
end

--- Shows the server's answer to `fxgraph/view`: in the view of that graph where there is one, else in a new window.
---@param client vim.lsp.Client
---@param source integer buffer of the dump
---@param answer table
function M.show(client, source, answer)
  local buffer = vim.iter(views_of(source)):find(function(one)
    return views[one].kind == answer.kind and views[one].graph == answer.graph
  end)
  local is_new = buffer == nil
  buffer = buffer or open(source, client, answer)
  remember(buffer, answer)
  write(buffer, answer.text)
  local window = vim.fn.win_findbuf(buffer)[1]
  if window then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd.split()
    vim.api.nvim_win_set_buf(0, buffer)
  end
  if is_new and answer.languageId == 'fxgraph' then
    -- The server of the dump answers here, too; what is found stands in the dump and is not told twice.
    vim.diagnostic.enable(false, { bufnr = buffer })
    vim.bo[buffer].filetype = 'fxgraph'
    vim.lsp.buf_attach_client(buffer, client.id)
    -- Neovim's own CTRL-] wants a file to jump in.
    vim.keymap.set('n', '<C-]>', vim.lsp.buf.definition, { buffer = buffer, desc = 'to the definition' })
  end
  select(client, buffer, answer.selection)
end

--- Asks for the graph at the cursor in another form; in a view for the graph that it shows.
---@param kind string one of `KINDS`
function M.view(kind)
  local here = vim.api.nvim_get_current_buf()
  local view = views[here]
  local source = view and view.source or here
  local client = ask.client_of(source)
  if not M.KINDS[kind] then
    vim.notify('fxgraph: one of graph, code, table, bare', vim.log.levels.ERROR)
  elseif client then
    local asked = view and { textDocument = { uri = vim.uri_from_bufnr(source) }, graph = view.graph } or ask.at_cursor(client)
    asked.kind = M.KINDS[kind]
    ask.ask(client, 'fxgraph/view', asked, source, function(answer) M.show(client, source, answer) end)
  end
end

--- From a line of a view to the line of the dump that it shows.
function M.to_source()
  local view = views[vim.api.nvim_get_current_buf()]
  if not view then
    return vim.notify('fxgraph: this is no view of a dump', vim.log.levels.WARN)
  end
  local here, line = vim.api.nvim_win_get_cursor(0)[1], 0
  for number = here, 1, -1 do -- a line that stands for none of the dump's goes where the one above it goes
    if type(view.lines[number]) == 'number' then
      line = view.lines[number]
      break
    end
  end
  local window = vim.fn.win_findbuf(view.source)[1]
  if window then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd.split()
    vim.api.nvim_win_set_buf(0, view.source)
  end
  vim.api.nvim_win_set_cursor(0, { math.min(line + 1, vim.fn.line('$')), 0 })
  vim.cmd('normal! ^')
end

return M
