-- What code lenses and code actions of the server ask the editor to do, and the commands of a buffer with a dump.
local M = {}

local KINDS = { graph = 'graph_str', code = 'readable', table = 'table', bare = 'bare' }

local function client_of(buffer)
  local client = vim.lsp.get_clients({ bufnr = buffer, name = 'fxgraph' })[1]
  if not client then
    vim.notify('fxgraph: no server for this buffer', vim.log.levels.WARN)
  end
  return client
end

local function ask(client, method, parameters, buffer, show)
  client:request(method, parameters, function(problem, answer)
    if problem then
      vim.notify('fxgraph: ' .. problem.message, vim.log.levels.ERROR)
    elseif not answer then
      vim.notify('fxgraph: nothing here', vim.log.levels.WARN)
    else
      show(answer)
    end
  end, buffer)
end

local function at_cursor(client)
  return vim.lsp.util.make_position_params(0, client.offset_encoding)
end

local function show_view(client, view)
  vim.cmd.new()
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(view.text:gsub('\n$', ''), '\n', { plain = true }))
  vim.bo[buffer].modifiable = false
  if view.languageId == 'fxgraph' then
    vim.bo[buffer].filetype = 'fxgraph' -- for its colours: the server is not asked about buffers without a file
  end
  if type(view.selection) == 'table' then
    local place = view.selection.start
    local line = vim.api.nvim_buf_get_lines(buffer, place.line, place.line + 1, true)[1]
    local column = vim.str_byteindex(line, client.offset_encoding, place.character, false)
    vim.api.nvim_win_set_cursor(0, { place.line + 1, column })
  end
end

--- Shows the graph at the cursor in another form, in a window of its own.
---@param kind string one of graph, code, table, bare
function M.view(kind)
  local client = client_of(0)
  if not KINDS[kind] then
    vim.notify('fxgraph: one of graph, code, table, bare', vim.log.levels.ERROR)
  elseif client then
    local parameters = vim.tbl_extend('error', at_cursor(client), { kind = KINDS[kind] })
    ask(client, 'fxgraph/view', parameters, 0, function(view) show_view(client, view) end)
  end
end

--- Lists the nodes of this dump that meet a filter (`target=aten.mm dtype=f16`) in the location list.
---@param filter string
function M.find(filter)
  local client = client_of(0)
  if not client then
    return
  end
  local window = vim.api.nvim_get_current_win()
  local search = { filter = filter, uri = vim.uri_from_bufnr(0) }
  ask(client, 'workspace/executeCommand', { command = 'fxgraph.find', arguments = { search } }, 0, function(found)
    if found.total == 0 then
      vim.notify('fxgraph: no node with ' .. filter)
      return
    end
    local items = vim.lsp.util.locations_to_items(found.locations, client.offset_encoding)
    vim.fn.setloclist(window, {}, ' ', { title = filter, items = items })
    vim.cmd.lopen()
  end)
end

--- Copies a node and all that it depends on.
---@param parameters? table the place, as a code action gives it; the cursor without it
function M.copy_slice(parameters)
  local client = client_of(0)
  if client then
    ask(client, 'fxgraph/slice', parameters or at_cursor(client), 0, function(slice)
      vim.fn.setreg(vim.v.register, slice.text)
      vim.notify(('fxgraph: copied %s and what it depends on, %d nodes'):format(slice.name, slice.nodes))
    end)
  end
end

--- The commands that the server names, for vim.lsp.Config.
M.of_server = {
  ['fxgraph.showTable'] = function(command, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    if client then
      local uri, graph = unpack(command.arguments)
      local parameters = { textDocument = { uri = uri }, graph = graph, kind = 'table' }
      ask(client, 'fxgraph/view', parameters, context.bufnr, function(view) show_view(client, view) end)
    end
  end,
  ['fxgraph.nextGraph'] = function(command, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    if client then
      local uri, range = unpack(command.arguments)
      vim.lsp.util.show_document({ uri = uri, range = range }, client.offset_encoding, { focus = true })
    end
  end,
  ['fxgraph.copySlice'] = function(command) M.copy_slice(command.arguments[1]) end,
}

return M
