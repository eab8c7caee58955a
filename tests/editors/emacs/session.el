;;; session.el --- a session of eglot with fxgraph, without a screen  -*- lexical-binding: t -*-

;; Opens $FXGRAPH_TEST_FILE as a user does, does each step of the JSON list $FXGRAPH_TEST_STEPS, and writes what is
;; seen to $FXGRAPH_TEST_OUT. A step is {key, does, at: [line, column], with: arguments}; lines count from 1, columns from 0.

(require 'eglot)
(require 'flymake)
(require 'imenu)
(require 'json)

(setq xref-prompt-for-identifier nil
      eglot-sync-connect 20
      eglot-autoshutdown t)

(defun session-wait-for (what condition)
  "Let the server speak until CONDITION gives a value, and return it; fail over WHAT after 20 seconds."
  (let ((deadline (+ (float-time) 20)) value)
    (while (not (or (setq value (funcall condition)) (> (float-time) deadline)))
      (accept-process-output nil 0.01))
    (or value (error "In vain waited for %s" what))))

(defun session-place ()
  "Where point is."
  (list (line-number-at-pos) (current-column)))

(defun session-xref-place (item)
  "Where ITEM of xref is."
  (let ((location (xref-item-location item)))
    (list (xref-location-line location) (xref-file-location-column location))))

(defun session-definition ()
  "Follow the definition, as M-. does."
  (call-interactively #'xref-find-definitions)
  (session-place))

(defun session-references ()
  "The places that M-? lists."
  (vconcat (mapcar #'session-xref-place
                   (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot)))))

(defun session-hover ()
  "The text of the hover at point."
  (let ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                (eglot--TextDocumentPositionParams))))
    (eglot--hover-info (plist-get hover :contents) (plist-get hover :range))))

(defun session-names (index)
  "The names of an imenu INDEX, nested ones too."
  (apply #'append
         (mapcar (lambda (entry)
                   (cons (car entry) (and (listp (cdr entry)) (session-names (cdr entry)))))
                 index)))

(defun session-symbols ()
  "The names that imenu offers."
  (vconcat (mapcar #'substring-no-properties (session-names (funcall imenu-create-index-function)))))

(defun session-diagnostics-lines ()
  "The lines that findings stand on."
  (sort (mapcar (lambda (found) (line-number-at-pos (flymake-diagnostic-beg found))) (flymake-diagnostics)) #'<))

(defun session-diagnostics (lines)
  "Wait until the findings stand on LINES, and return their texts."
  (flymake-start)
  (session-wait-for "findings" (lambda () (equal (session-diagnostics-lines) (append lines nil))))
  (vconcat (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))

(defun session-step (step)
  "Do STEP and return its key with what was seen."
  (goto-char (point-min))
  (forward-line (1- (aref (gethash "at" step) 0)))
  (forward-char (aref (gethash "at" step) 1))
  (cons (gethash "key" step)
        (apply (intern (concat "session-" (gethash "does" step))) (append (gethash "with" step []) nil))))

(find-file (getenv "FXGRAPH_TEST_FILE"))
(run-hooks 'post-command-hook)        ; without a screen no command ends, and eglot-ensure waits for that
(session-wait-for "the server" #'eglot-managed-p)
(let* ((steps (json-parse-string (getenv "FXGRAPH_TEST_STEPS")))
       (mode (symbol-name major-mode))
       (seen (mapcar #'session-step steps)))
  (with-temp-file (getenv "FXGRAPH_TEST_OUT")
    (insert (json-encode (cons (cons "mode" mode) seen)))))
(eglot-shutdown (eglot--current-server-or-lose))
(kill-emacs 0)

;;; session.el ends here
