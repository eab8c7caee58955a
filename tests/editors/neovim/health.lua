-- Writes what :checkhealth fxgraph says, without a server of a dump and with one.
local out = assert(io.open(vim.env.FXGRAPH_TEST_OUT, 'w'))
local seen = {}

local function health()
  vim.cmd('silent checkhealth fxgraph')
  local said = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  vim.cmd.bwipeout()
  return said
end

local done, problem = xpcall(function()
  seen.before = health()
  vim.cmd.edit(vim.fn.fnameescape(vim.env.FXGRAPH_TEST_FILE))
  assert(vim.wait(20000, function()
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'fxgraph' })[1]
    return client and client.initialized
  end, 10), 'no server')
  seen.with = health()
  vim.lsp.config('fxgraph', { cmd = { '/nowhere/fxgraph', 'serve' } })
  seen.missing = health()
  vim.lsp.enable('fxgraph', false)
  seen.off = health()
end, debug.traceback)
seen.problem = not done and problem or nil
out:write(vim.json.encode(seen))
out:close()
vim.cmd('qall!')
