const code = (letter: string) => letter.charCodeAt(0)

/** Frontend message types. */
export const front = {
  bind: code('B'),
  close: code('C'),
  copyData: code('d'),
  copyDone: code('c'),
  copyFail: code('f'),
  describe: code('D'),
  execute: code('E'),
  parse: code('P'),
  password: code('p'),
  query: code('Q'),
  sync: code('S'),
  terminate: code('X'),
} as const

/** Backend message types. */
export const back = {
  authentication: code('R'),
  bindComplete: code('2'),
  closeComplete: code('3'),
  commandComplete: code('C'),
  copyData: code('d'),
  copyDone: code('c'),
  copyIn: code('G'),
  copyOut: code('H'),
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

/** Transaction states that PostgreSQL reports after a statement. */
export const states = { idle: code('I'), inside: code('T'), failed: code('E') } as const
