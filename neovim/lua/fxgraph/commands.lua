-- The subcommands of :FxGraph, and what code lenses and code actions of the server ask the editor to do.
local ask = require('fxgraph.ask')
local views = require('fxgraph.views')

local M = {}

local searching -- { client, id } of the search in a folder that runs

local function list(client, window, filter, found)
  if found.total == 0 then
    vim.notify('fxgraph: no node with ' .. filter)
    return
  end
  local items = vim.lsp.util.locations_to_items(found.locations, client.offset_encoding)
  vim.fn.setloclist(window, {}, ' ', { title = filter, items = items })
  vim.cmd.lopen()
end

--- Lists the nodes that meet a filter (`target=aten.mm dtype=f16`) in the location list.
---@param filter string
---@param where? 'folder' in the dumps of the workspace's folder, not in this one
function M.find(filter, where)
  local client = ask.client_of(0)
  if not client then
    return
  end
  local window = vim.api.nvim_get_current_win()
  local search = { filter = filter }
  if where == 'folder' then
    search.folder = vim.uri_from_fname(client.root_dir or vim.fn.getcwd())
  else
    search.uri = vim.uri_from_bufnr(0)
  end
  local asked = { command = 'fxgraph.find', arguments = { search }, workDoneToken = where and 'fxgraph-find' or nil }
  local id = ask.ask(client, 'workspace/executeCommand', asked, 0, function(found)
    searching = nil
    list(client, window, filter, found)
  end)
  searching = where and id and { client, id } or nil
end

--- Stops a search in a folder, or the run of this dump's source.
function M.stop()
  if searching then
    searching[1]:cancel_request(searching[2])
    searching = nil
    vim.notify('fxgraph: the search was stopped')
  else
    M.rerun('fxgraph.stopSource')
  end
end

--- Runs the script that has printed this dump, for the shapes of its values. The server asks first: its path and the
--- hash of its content are shown.
---@param command? string
function M.rerun(command)
  local client = ask.client_of(0)
  if client then
    local asked = { command = command or 'fxgraph.rerunSource', arguments = { vim.uri_from_bufnr(0) } }
    client:request('workspace/executeCommand', asked, function(problem)
      if problem then
        vim.notify('fxgraph: ' .. problem.message, vim.log.levels.ERROR)
      end
    end, 0)
  end
end

--- Copies a node and all that it depends on.
---@param parameters? table the place, as a code action gives it; the cursor without it
function M.copy_slice(parameters)
  local client = ask.client_of(0)
  if client then
    ask.ask(client, 'fxgraph/slice', parameters or ask.at_cursor(client), 0, function(slice)
      vim.fn.setreg(vim.v.register, slice.text)
      vim.notify(('fxgraph: copied %s and what it depends on, %d nodes'):format(slice.name, slice.nodes))
    end)
  end
end

local function go(client, uri, range)
  vim.lsp.util.show_document({ uri = uri, range = range }, client.offset_encoding, { focus = true })
end

--- Goes to the next graph: of the compilation where the server knows one, else of the file.
function M.next_graph()
  local client = ask.client_of(0)
  if not client then
    return
  end
  local here = vim.api.nvim_win_get_cursor(0)[1] - 1
  local uri = vim.uri_from_bufnr(0)
  ask.ask(client, 'textDocument/codeLens', { textDocument = { uri = uri } }, 0, function(lenses)
    table.sort(lenses, function(one, other) return one.range.start.line < other.range.start.line end)
    local graph, below
    for _, lens in ipairs(lenses) do
      local line = lens.range.start.line
      graph = line <= here and line or graph
      below = below or line > here and lens.range or nil
    end
    for _, lens in ipairs(lenses) do
      if lens.range.start.line == graph and lens.command.command == 'fxgraph.nextGraph' then
        below = lens.command.arguments[2]
      end
    end
    if below then
      go(client, uri, below)
    else
      vim.notify('fxgraph: no graph follows')
    end
  end)
end

--- Copies what a report of a bug needs: no name, no path and no word of a model is in it.
function M.copy_debug_info()
  local client = ask.client_of(0)
  if client then
    ask.ask(client, 'fxgraph/debugInfo', { textDocument = { uri = vim.uri_from_bufnr(0) } }, 0, function(info)
      local server, version = client.server_info or {}, vim.version()
      local lines = {
        ('fxgraph %s, Neovim %d.%d.%d, %s'):format(server.version or '?', version.major, version.minor, version.patch, jit.os),
      }
      vim.fn.setreg(vim.v.register, table.concat(vim.list_extend(lines, info.lines), '\n') .. '\n')
      vim.notify('fxgraph: copied the debug info')
    end)
  end
end

--- Stops the server and starts it again for all of its buffers.
function M.restart()
  vim.lsp.enable('fxgraph', false)
  local clients = vim.lsp.get_clients({ name = 'fxgraph' })
  vim.iter(clients):each(function(client) client:stop() end)
  vim.wait(5000, function() return vim.iter(clients):all(function(client) return client:is_stopped() end) end, 10)
  vim.lsp.enable('fxgraph')
end

local function needs(words, run)
  return function(given)
    if given == '' then
      vim.notify('fxgraph: ' .. words, vim.log.levels.ERROR)
    else
      run(given)
    end
  end
end

--- Subcommand -> what it does with the words behind it.
M.subcommands = {
  view = needs('one of graph, code, table, bare', views.view),
  source = views.to_source,
  next = M.next_graph,
  find = needs('a filter is needed: target=aten.mm', M.find),
  findall = needs('a filter is needed: target=aten.mm', function(filter) M.find(filter, 'folder') end),
  stop = M.stop,
  rerun = function() M.rerun() end,
  slice = function() M.copy_slice() end,
  read = function() vim.bo.filetype = 'fxgraph' end,
  info = M.copy_debug_info,
  log = function() vim.cmd.split(vim.fn.fnameescape(vim.lsp.log.get_filename())) end,
  restart = M.restart,
}

--- Runs what stands behind :FxGraph.
---@param words string
function M.run(words)
  local name, rest = words:match('^(%S*)%s*(.-)%s*$')
  local run = M.subcommands[name]
  if run then
    run(rest)
  else
    local known = vim.tbl_keys(M.subcommands)
    table.sort(known)
    vim.notify('fxgraph: one of ' .. table.concat(known, ', '), vim.log.levels.ERROR)
  end
end

local FILTERS = { 'target=', 'dtype=', 'op=', 'name=', 'module=', 'dead', 'unused' }

--- The completion of :FxGraph.
---@param start string
---@param line string
function M.complete(start, line)
  local name = line:match('^%s*%S+%s+(%S+)%s')
  local words = vim.tbl_keys(M.subcommands)
  if name == 'view' then
    words = vim.tbl_keys(views.KINDS)
  elseif name then
    words = (name == 'find' or name == 'findall') and FILTERS or {}
  end
  words = vim.tbl_filter(function(word) return vim.startswith(word, start) end, words)
  table.sort(words)
  return words
end

--- The commands that the server names, for vim.lsp.Config.
M.of_server = {
  ['fxgraph.showTable'] = function(command, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    if client then
      local uri, graph = unpack(command.arguments)
      local asked = { textDocument = { uri = uri }, graph = graph, kind = 'table' }
      ask.ask(client, 'fxgraph/view', asked, context.bufnr, function(answer) views.show(client, context.bufnr, answer) end)
    end
  end,
  ['fxgraph.nextGraph'] = function(command, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    if client then
      go(client, unpack(command.arguments))
    end
  end,
  ['fxgraph.copySlice'] = function(command) M.copy_slice(command.arguments[1]) end,
}

return M
