import type { GuestTexts } from './english.ts'

export const german: GuestTexts = {
  mail_open: 'Öffnen',
  mail_footer: 'Gesendet von Gatehouse auf {host}.',
  mail_code_subject: 'Ihr Code: {code}',
  mail_code_text:
    'Mit diesem Code sehen Sie Ihren Zugang: {code}\n\nEr gilt 10 Minuten. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail.',
  mail_access_subject: 'Ihr Zugang zu {organization}',
  mail_access_intro: '{organization} hat Ihnen Zugang gegeben.',
  mail_access_from: 'Ab {from}',
  mail_access_until: 'Bis {until}',
  mail_access_link: 'Öffnen Sie diesen Link auf Ihrem Handy; dort finden Sie Ihre Türen:\n{link}',
  mail_access_pin: 'Ihre PIN für die Tastenfelder: {pin}',
  mail_access_sign_in: 'Melden Sie sich mit dieser Adresse an, um Ihre Türen zu sehen:\n{url}',
  mail_access_warning: 'Geben Sie diese E-Mail nicht weiter: Wer sie hat, kann Ihre Türen öffnen.',
  mail_access_contact: 'Fragen? {contact}',
  mail_data_subject: 'Ihre Daten bei {organization}',
  mail_data_text:
    'Was {organization} über Sie gespeichert hat, liegt bereit. Melden Sie sich an, um es innerhalb von 7 Tagen abzuholen:\n{url}\n\nWenn Sie nicht darum gebeten haben, melden Sie sich auf allen Geräten ab und sagen Sie {organization} Bescheid.',
}
