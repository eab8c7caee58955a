autocmd BufRead,BufNewFile *.fxgraph setfiletype fxgraph
