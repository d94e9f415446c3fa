// Node 26 is a long-term release, but its early builds are not marked as such. The OAuth engine warns about
// runtimes without that mark when it is loaded, so this module must be loaded first.
process.release.lts ??= 'Node 26'
