-- Questions to the server of a buffer.
local M = {}

--- The server of a buffer; tells the user where there is none.
---@param buffer integer
---@return vim.lsp.Client?
function M.client_of(buffer)
  local client = vim.lsp.get_clients({ bufnr = buffer, name = 'fxgraph' })[1]
  if not client then
    vim.notify('fxgraph: no server for this buffer', vim.log.levels.WARN)
  end
  return client
end

--- Sends a request; `show` gets its answer, the user an error or an empty answer.
---@return integer? id of the request
function M.ask(client, method, parameters, buffer, show)
  local _, id = client:request(method, parameters, function(problem, answer)
    if problem then
      vim.notify('fxgraph: ' .. problem.message, vim.log.levels.ERROR)
    elseif not answer then
      vim.notify('fxgraph: nothing here', vim.log.levels.WARN)
    else
      show(answer)
    end
  end, buffer)
  return id
end

--- The document and the position of the cursor, as requests name them.
function M.at_cursor(client)
  return vim.lsp.util.make_position_params(0, client.offset_encoding)
end

return M
