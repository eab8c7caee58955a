"""The language server: the only room that knows the protocol, pygls and lsprotocol. It converts and decides nothing."""
