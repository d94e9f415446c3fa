const code = (letter: string) => letter.charCodeAt(0)

/** What the service sends. */
export const front = {
  bind: code('B'),
  close: code('C'),
  describe: code('D'),
  execute: code('E'),
  parse: code('P'),
  password: code('p'),
  query: code('Q'),
  sync: code('S'),
  terminate: code('X'),
} as const

/** What PostgreSQL sends. */
export const back = {
  authentication: code('R'),
  bindComplete: code('2'),
  closeComplete: code('3'),
  commandComplete: code('C'),
  dataRow: code('D'),
  emptyQuery: code('I'),
  error: code('E'),
  keyData: code('K'),
  negotiate: code('v'),
  noData: code('n'),
  notice: code('N'),
  notification: code('A'),
  parameterDescription: code('t'),
  parameterStatus: code('S'),
  parseComplete: code('1'),
  ready: code('Z'),
  rowDescription: code('T'),
} as const

/** What a connection is in after a statement, as PostgreSQL reports it. */
export const states = { idle: code('I'), inside: code('T'), failed: code('E') } as const
