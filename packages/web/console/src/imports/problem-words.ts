import { nameOf } from '../events/change-words.ts'
import { language } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { capital } from '../parts/capital.ts'
import { plainWords, type Saying } from '../parts/plain-words.ts'

/** What is wrong with rows of a file, and what an import has noticed. */
const sayings: readonly Saying[] = [
  [
    /^The end (".*") is not after the start (".*")/,
    (end, start) => t(`The end ${end} is not after the start ${start}.`),
  ],
  [
    /^(".*") does not exist: clocks/,
    time => t(`${time} does not exist, because clocks are set forward then.`),
  ],
  [
    /^(".*") has no offset/,
    time => t(`${time} needs an offset, because the organization has several time zones.`),
  ],
  [
    /^(".*") may be day or month first: write it like (\S+)/,
    (time, right) => t(`${time} may begin with the day or the month. Write it like ${right}.`),
  ],
  [/^(".*") is not a time like/, time => t(`${time} is not a time. Write it like 2026-11-14 15:00.`)],
  [/^(".*") is not true or false/, value => t(`${value} is neither yes nor no.`)],
  [/^(".*") is not "new"/, () => t('The only value is “new”, because the service makes links.')],
  [
    /a spreadsheet has shortened/,
    () => t('A spreadsheet has shortened this number. Format the column as text and enter it again.'),
  ],
  [
    /^The PIN has (\d+) digits, but others of the file have (\d+)/,
    (few, many) =>
      t(
        `The PIN has ${few} digits, but others have ${many}: a spreadsheet may have dropped zeros. Format the column as text and enter it again.`,
      ),
  ],
  [/^A PIN (?:has at least|is 4)/, () => t('A PIN has 4 to 20 digits. Or write “new”.')],
  [
    /^Too many PINs of this length/,
    () => t('Too many PINs of this length are in use for another one to be safe. Use more digits.'),
  ],
  [
    /^The cell has (\d+) values, more than the (\d+)/,
    (count, most) => t(`The cell has ${count} values. At most ${most} are possible.`),
  ],
  [/^The cell is empty/, () => t('The cell is empty.')],
  [
    /^The row has (\d+) cells, (?:more|fewer) than the (\d+) columns/,
    (cells, columns) => t(`The row has ${cells} cells, and the head line ${columns} columns.`),
  ],
  [
    /^The row (?:has a quote|is longer)/,
    () => t('A quote is not closed, or something follows it. Write quotes inside of a cell twice.'),
  ],
  [/^Several are named (".*"): write the ID/, name => t(`Several are named ${name}. Write the ID.`)],
  [/^No \w+ is named (".*")/, name => t(`Nothing is named ${name}.`)],
  [/^No member has the ID or external ID (".*")/, id => t(`No member has the ID or external ID ${id}.`)],
  [/has no card with the code (".*")/, code => t(`There is no card with the code ${code}.`)],
  [
    /^The card (".*") was reported lost/,
    card => t(`The card ${card} was reported lost. Report it found first, or give another one.`),
  ],
  [/^The card (".*") belongs to another/, card => t(`The card ${card} belongs to another member.`)],
  [/exists already/, () => t('It exists already.')],
  [/^(?:There is no|mem_\w+ was erased)/, () => t('It does not exist any more.')],
  [/^(\w+) of \w+ cannot be changed/, field => t(`This cannot be changed: ${nameOf(field)}.`)],
  [/^(".*") is not (?!an email)/, value => t(`${value} cannot be accepted here.`)],
  [/could not be (?:stored|written)/, () => t('The row could not be stored.')],
  [
    /^Line (\d+): clocks show (.*) twice/,
    (line, time) => t(`Line ${line}: clocks show ${time} twice. The first is taken.`),
  ],
  [
    /^Line (\d+): (\w+) has changed since/,
    (line, id) => t(`Line ${line}: ${id} has changed since, and is left as it is.`),
  ],
  [
    /^Line (\d+): (\w+) has lost/,
    (line, id) => t(`Line ${line}: ${id} has lost something that cannot be brought back.`),
  ],
  [/^(mem_\w+) has changed since/, id => t(`${id} has changed since, and is left as it is.`)],
  [/^has changed since/, () => t('It has changed since, and is left as it is.')],
  [/^has lost/, () => t('It has lost something that cannot be brought back.')],
  [
    /^Somebody was erased/,
    () => t('Somebody was erased whom the file may name. It was removed; send it again without that person.'),
  ],
  [
    /not in UTF-8/,
    () => t('The file is not in UTF-8. It was read as Windows-1252; check letters with accents.'),
  ],
  [
    /^The file has no column (\S+),/,
    column =>
      t(`The file has no column ${column}, so every row makes a new member, also if the file is sent again.`),
  ],
  [/^Nothing is deleted, since (\d+)/, count => t(`Nothing is deleted, since ${count} rows cannot be read.`)],
  [/^Stopped at line (\d+)/, line => t(`Stopped at line ${line}, the first that is refused.`)],
  [
    /^(\d+) new members? (?:would have|has|have) no end, .*: line ([\d, ]+\d)/,
    (count, lines) =>
      t(
        `New members without an end: ${count}. They have access until somebody ends it. See for example lines ${lines}.`,
      ),
  ],
  [/^Only the first (\d+) row errors/, count => t(`Only the first ${count} refused rows are kept.`)],
  [
    /^nothing was imported: (\d+) of (\d+)/,
    (failed, all) => t(`Nothing was imported, because ${failed} of ${all} rows are refused.`),
  ],
  [/^nothing was imported/, () => t('Nothing was imported, because a row could not be stored.')],
  [
    /^(?:while the import ran, .*: )?(\d+).* would be deleted, but max_deletes is (\S+);/,
    (count, most) => t(`${count} members would be deleted, more than the ${most} that are allowed.`),
  ],
  [
    /file was removed, since it held/,
    () => t('The file was removed, because it held a member who was erased. Choose it again.'),
  ],
]

/** Says what a job tells of a file, or of one of its rows. */
export function problemWords(problem: string, spoken = language): string {
  return capital(plainWords(problem, spoken, sayings))
}
