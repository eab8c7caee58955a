-- :checkhealth fxgraph
local M = {}

local OLDEST = '0.11'

local function program()
  local cmd = vim.lsp.config.fxgraph and vim.lsp.config.fxgraph.cmd
  return type(cmd) == 'table' and cmd[1] or nil
end

local function check_program(health)
  local name = program()
  if not name then
    return health.info('the server is started by a function of yours')
  end
  local path = vim.fn.exepath(vim.fn.expand(name))
  if path == '' then
    return health.error(('the program `%s` is not found'):format(name), {
      'install it: `pipx install .` or `make run` in the checkout',
      "or say where it is: vim.lsp.config('fxgraph', { cmd = { '/where/it/is/fxgraph', 'serve' } })",
    })
  end
  local done = vim.system({ path, '--version' }, { text = true, cwd = vim.env.VIMRUNTIME }):wait(10000)
  if done.code == 0 then
    health.ok(('%s: %s'):format(path, vim.trim(done.stdout)))
  else
    health.error(('%s does not run: %s'):format(path, vim.trim(done.stderr or '')), 'it needs Python 3.10 or newer')
  end
end

local function check_server(health)
  if not vim.lsp.is_enabled('fxgraph') then
    return health.warn('the server is not enabled', "in init.lua: vim.lsp.enable('fxgraph')")
  end
  local clients = vim.lsp.get_clients({ name = 'fxgraph' })
  if #clients == 0 then
    health.info('the server is enabled; it starts with the first dump')
  end
  for _, client in ipairs(clients) do
    local buffers = vim.tbl_count(client.attached_buffers)
    local version = (client.server_info or {}).version or '?'
    health.ok(('fxgraph %s runs for %d buffer%s, columns in %s'):format(version, buffers, buffers == 1 and '' or 's', client.offset_encoding))
  end
end

function M.check()
  local health = vim.health
  health.start('fxgraph')
  if vim.fn.has('nvim-' .. OLDEST) == 1 then
    health.ok('Neovim ' .. tostring(vim.version()))
  else
    return health.error(('Neovim %s or newer is needed'):format(OLDEST))
  end
  check_program(health)
  check_server(health)
  if #vim.fn.getcompletion('fxgraph-setup', 'help') == 0 then
    health.info('`:help fxgraph` is not known so far: `:helptags ~/fxgraph/neovim/doc`')
  end
  health.info('log: ' .. vim.lsp.log.get_filename())
end

return M
