import {
  type ClockTime,
  findWord,
  type MonthDay,
  parseClockTime,
  parseDay,
  parseMonth,
  parseSeconds,
} from './source-words.ts'

/** One line `Rule`: in these years, clocks are `save` seconds ahead of standard time from that day on. */
export interface Rule {
  readonly first: number
  readonly last: number
  readonly month: number
  readonly day: MonthDay
  readonly time: ClockTime
  readonly save: number
}

/** A line of a `Zone`: what holds until a time, or from then on. */
export interface Era {
  readonly standard: number
  /** The name of its rules. Without rules, clocks are always `save` seconds ahead. */
  readonly rules: string | undefined
  readonly save: number
  readonly until: Until | undefined
}

export interface Until {
  readonly year: number
  readonly month: number
  readonly day: MonthDay
  readonly time: ClockTime
}

/** What the lines of the source files say, by name. */
export interface ZoneText {
  readonly rules: Map<string, Rule[]>
  readonly zones: Map<string, Era[]>
  /** The zone that another name stands for. */
  readonly links: Map<string, string>
}

/** Adds the lines of one file. Throws with the number of a line that it cannot read. */
export function readLines(text: string, into: ZoneText): void {
  let open: Era[] | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const words = line.replace(/#.*/, '').split(/\s+/).filter(Boolean)
    if (words.length === 0) continue
    try {
      open = open ? continueZone(open, words) : readLine(words, into)
    } catch (error) {
      throw new Error(`line ${index + 1}: ${error instanceof Error ? error.message : error}`)
    }
  }
  if (open) throw new Error('ends in the middle of a zone')
}

/** Returns the lines of a zone that the next line continues. */
function readLine([keyword = '', ...words]: string[], { rules, zones, links }: ZoneText): Era[] | undefined {
  const [name = ''] = words
  switch (['rule', 'zone', 'link'][findWord(['rule', 'zone', 'link'], keyword)]) {
    case 'rule':
      rules.set(name, [...(rules.get(name) ?? []), readRule(words)])
      return undefined
    case 'link':
      links.set(wordAt(words, 1), name)
      return undefined
    default: {
      const eras: Era[] = []
      zones.set(name, eras)
      return continueZone(eras, words.slice(1))
    }
  }
}

function continueZone(eras: Era[], words: readonly string[]): Era[] | undefined {
  const era = readEra(words)
  eras.push(era)
  return era.until && eras
}

function readRule(words: readonly string[]): Rule {
  const first = readYear(wordAt(words, 1))
  const until = wordAt(words, 2).toLowerCase()
  const isOnly = 'only'.startsWith(until)
  const isForever = until.length > 1 && 'maximum'.startsWith(until)
  return {
    first,
    last: isOnly ? first : isForever ? Infinity : readYear(until),
    month: parseMonth(wordAt(words, 4)),
    day: parseDay(wordAt(words, 5)),
    time: parseClockTime(wordAt(words, 6)),
    save: parseSeconds(wordAt(words, 7).replace(/[sd]$/, '')),
  }
}

function readEra([standard = '', rules = '', format, ...until]: readonly string[]): Era {
  if (format === undefined) throw new Error('is too short')
  const isSave = /^-?\d|^-$/.test(rules)
  return {
    standard: parseSeconds(standard),
    rules: isSave ? undefined : rules,
    save: isSave ? parseSeconds(rules) : 0,
    until: until.length > 0 ? readUntil(until) : undefined,
  }
}

function readUntil([year = '', month = 'Jan', day = '1', time = '0']: readonly string[]): Until {
  return { year: readYear(year), month: parseMonth(month), day: parseDay(day), time: parseClockTime(time) }
}

function readYear(word: string): number {
  if (!/^\d{1,4}$/.test(word)) throw new Error(`${JSON.stringify(word)} is no year`)
  return Number(word)
}

function wordAt(words: readonly string[], index: number): string {
  const word = words[index]
  if (word === undefined) throw new Error('is too short')
  return word
}
