" Settings of buffers that hold printed FX graphs.

if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:#,://
setlocal commentstring=#\ %s

" A word is the bare name, as it stands in every form: `*` on %addmm_1 also finds addmm_1 in the return line, and `iw`
" on a dotted target selects one part of it. So neither % nor the dot belongs to a word, whatever the user's default is.
setlocal iskeyword=@,48-57,_,192-255

let b:undo_ftplugin = 'setlocal comments< commentstring< iskeyword<'
