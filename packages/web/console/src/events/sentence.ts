type Tone = 'good' | 'bad' | 'plain'

export interface Subject {
  readonly name: string
  readonly path?: string
}

export interface Words {
  readonly who: Subject
  /** The verb phrase between who and what: `opened`, `was denied at`. */
  readonly did: string
  readonly what?: Subject
  readonly more?: string
  readonly tone: Tone
}
