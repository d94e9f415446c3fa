import { type Course, cutCourse, type Step } from '../course.ts'
import { type PosixRule, parsePosixRule, ruleSteps } from './posix-rule.ts'
import { yearOf } from './year-days.ts'

/** A compiled zone file (RFC 9636), version 2 or newer. */
export interface CompiledZone {
  readonly steps: readonly Step[]
  readonly rule: PosixRule
}

const headerLength = 44

interface Header {
  readonly version: number
  readonly isut: number
  readonly isstd: number
  readonly leap: number
  readonly time: number
  readonly type: number
  readonly char: number
}

export function isTzif(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'TZif'
}

/** Throws if the file is not whole: half a file would be a wrong table. */
export function readTzif(bytes: Buffer): CompiledZone {
  const old = readHeader(bytes, 0)
  if (old.version < 0x32) throw new Error('is of version 1; version 2 or newer is needed')
  const start = headerLength + blockLength(old, 4)
  const header = readHeader(bytes, start)
  if (header.leap > 0) throw new Error('counts leap seconds')
  if (header.type === 0) throw new Error('has no local time type')
  const body = start + headerLength
  const steps = readSteps(bytes, body, header)
  const rule = readRule(bytes, body + blockLength(header, 8))
  requireSame(steps, rule)
  return { steps, rule }
}

function readHeader(bytes: Buffer, at: number): Header {
  if (bytes.length < at + headerLength || !isTzif(bytes.subarray(at))) throw new Error('is cut off')
  const count = (index: number) => bytes.readUInt32BE(at + 20 + 4 * index)
  const version = bytes.readUInt8(at + 4)
  return {
    version,
    isut: count(0),
    isstd: count(1),
    leap: count(2),
    time: count(3),
    type: count(4),
    char: count(5),
  }
}

/** `width` is the length of a time in bytes. */
function blockLength({ isut, isstd, leap, time, type, char }: Header, width: number): number {
  return time * (width + 1) + type * 6 + char + leap * (width + 4) + isstd + isut
}

function readSteps(bytes: Buffer, body: number, header: Header): Step[] {
  if (bytes.length < body + blockLength(header, 8)) throw new Error('is cut off')
  const types = body + header.time * 8
  const offsets = types + header.time
  const offsetOf = (type: number) => {
    if (type >= header.type) throw new Error(`names local time type ${type} of ${header.type}`)
    return bytes.readInt32BE(offsets + type * 6)
  }
  const changes = Array.from({ length: header.time }, (_, index) => ({
    at: Number(bytes.readBigInt64BE(body + index * 8)),
    offset: offsetOf(bytes.readUInt8(types + index)),
  }))
  return [{ at: -Infinity, offset: offsetOf(0) }, ...changes]
}

function readRule(bytes: Buffer, at: number): PosixRule {
  const [, text, end] = bytes.toString('latin1', at).split('\n')
  const rule = text && end !== undefined ? parsePosixRule(text) : undefined
  if (!rule) throw new Error(`ends with the rule ${JSON.stringify(text ?? '')}, which is not understood`)
  return rule
}

/** The rule must go on where the changes end. */
function requireSame(steps: readonly Step[], { offset, summer }: PosixRule): void {
  const last = steps.at(-1)?.offset
  if (last !== offset && last !== summer?.offset)
    throw new Error('has a rule that contradicts its last change')
}

export function compiledCourse({ steps, rule }: CompiledZone, from: number, until: number): Course {
  const last = steps.at(-1)?.at ?? -Infinity
  const later = ruleSteps(rule, yearOf(from) - 1, yearOf(until)).filter(({ at }) => at > last)
  return cutCourse([...steps, ...later], from, until)
}
