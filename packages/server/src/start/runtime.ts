// Node 26 is a long-term release, but its early builds do not say so, and the engine of the authorization server warns of
// a runtime without that mark when it is loaded. So this is loaded before it.
process.release.lts ??= 'Node 26'
