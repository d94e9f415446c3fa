/** How grave the subject of a mail is, shown by the colour of its upper edge. */
export type Tone = 'critical' | 'warning' | 'info'

export interface Picture {
  readonly type: string
  readonly bytes: Buffer
}

/** Whose mail it is. Shown at the top of it. */
export interface Brand {
  readonly name: string
  readonly logo?: Picture | undefined
}

/** For mails that concern no organization. */
export const ownBrand: Brand = { name: 'Gatehouse' }

/** What every language can say in a mail. */
interface LetterVoice {
  readonly language: string
  say(key: 'mail_open' | 'mail_footer', gaps?: Readonly<Record<string, string>>): string
}

/** A mail before it is laid out. Its text is the plain part, and what the HTML part shows. */
export interface Letter {
  readonly to: string
  readonly kind: string
  readonly voice: LetterVoice
  readonly subject: string
  readonly text: string
  readonly brand: Brand
  /** The URL of this service. Only URLs below it become links: texts may hold names that a user chose. */
  readonly own_url: string
  /** What readers type somewhere. Shown large. */
  readonly codes?: readonly string[]
  readonly tone?: Tone
}
