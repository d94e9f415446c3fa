import type { GuestTexts } from './english.ts'

export const portuguese: GuestTexts = {
  mail_open: 'Abrir',
  mail_footer: 'Enviado por Gatehouse em {host}.',
  mail_code_subject: 'O seu código: {code}',
  mail_code_text:
    'Introduza este código para ver o seu acesso: {code}\n\nÉ válido durante 10 minutos. Se não o pediu, ignore este e-mail.',
  mail_access_subject: 'O seu acesso a {organization}',
  mail_access_intro: '{organization} deu-lhe acesso.',
  mail_access_from: 'A partir de {from}',
  mail_access_until: 'Até {until}',
  mail_access_link: 'Abra esta ligação no telemóvel e verá as portas que pode usar:\n{link}',
  mail_access_pin: 'O seu PIN para os teclados: {pin}',
  mail_access_sign_in: 'Inicie sessão com este endereço para ver as suas portas:\n{url}',
  mail_access_warning: 'Guarde este e-mail para si: com ele, qualquer pessoa pode abrir as suas portas.',
  mail_access_contact: 'Dúvidas? {contact}',
  mail_data_subject: 'Os seus dados em {organization}',
  mail_data_text:
    'O que {organization} guarda sobre si está pronto. Inicie sessão para o obter, no prazo de 7 dias:\n{url}\n\nSe não fez este pedido, termine a sessão em todos os seus dispositivos e avise {organization}.',
}
