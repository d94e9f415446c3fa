import { spoken, t } from '../language/t.ts'

const days: Record<string, string> = spoken({
  Mo: 'Mon',
  Tu: 'Tue',
  We: 'Wed',
  Th: 'Thu',
  Fr: 'Fri',
  Sa: 'Sat',
  Su: 'Sun',
})

/** Turns `Mo-Fr 08:00-18:00; Sa 10:00-14:00` into `Mon to Fri 08:00 to 18:00, Sat 10:00 to 14:00`. */
export function hoursWords(hours: string): string {
  if (hours === 'off') return t('no time')
  return hours
    .replaceAll('; ', ';')
    .replace('Mo-Su', t('every day'))
    .replaceAll('-', t(' to '))
    .replaceAll(',', t(' and '))
    .replaceAll(/\b(Mo|Tu|We|Th|Fr|Sa|Su)\b/g, day => days[day] ?? day)
    .replaceAll(';', ', ')
}
