import type { GuestTexts } from './english.ts'

export const italian: GuestTexts = {
  mail_open: 'Apri',
  mail_footer: 'Inviato da Gatehouse su {host}.',
  mail_code_subject: 'Il tuo codice: {code}',
  mail_code_text:
    'Inserisci questo codice per vedere il tuo accesso: {code}\n\nÈ valido per 10 minuti. Se non l’hai richiesto, ignora questa e-mail.',
  mail_access_subject: 'Il tuo accesso a {organization}',
  mail_access_intro: '{organization} ti ha dato accesso.',
  mail_access_from: 'Da {from}',
  mail_access_until: 'Fino a {until}',
  mail_access_link: 'Apri questo link sul telefono per vedere le porte che puoi usare:\n{link}',
  mail_access_pin: 'Il tuo PIN per le tastiere: {pin}',
  mail_access_sign_in: 'Accedi con questo indirizzo per vedere le tue porte:\n{url}',
  mail_access_warning: 'Tieni questa e-mail per te: chi la possiede può aprire le tue porte.',
  mail_access_contact: 'Domande? {contact}',
  mail_data_subject: 'I tuoi dati presso {organization}',
  mail_data_text:
    'Ciò che {organization} conserva su di te è pronto. Accedi per scaricarlo, entro 7 giorni:\n{url}\n\nSe non l’hai richiesto, esci da tutti i tuoi dispositivi e avvisa {organization}.',
}
