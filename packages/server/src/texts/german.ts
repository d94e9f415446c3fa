import type { Texts } from './english.ts'

export const german: Texts = {
  sign_in: 'Anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  new_password: 'Neues Passwort',
  password_hint: 'Mindestens 12 Zeichen. Ein paar zufällige Wörter sind ein gutes Passwort.',
  name: 'Name',
  forgot_password: 'Passwort vergessen?',
  create_account: 'Konto anlegen',
  have_account: 'Ich habe schon ein Konto',
  use_passkey: 'Mit Passkey anmelden',
  passkey_failed:
    'Der Passkey wurde nicht angenommen. Versuchen Sie es noch einmal oder melden Sie sich mit dem Passwort an.',
  wrong_credentials: 'E-Mail oder Passwort ist falsch.',
  too_many_attempts: 'Zu viele Versuche. Versuchen Sie es in {seconds} Sekunden noch einmal.',
  link_offer: 'Wenn dies Ihr Konto ist, senden wir Ihnen einen Link, mit dem Sie es sofort versuchen können.',
  link_send: 'Link senden',
  link_sent:
    'Wenn {email} ein Konto hat, haben wir einen Link dorthin gesendet. Öffnen Sie ihn in diesem Browser.',
  link_in_outbox:
    'Dieser Dienst sendet keine E-Mails. Wenn {email} ein Konto hat, liegt der Link im Postausgang des Dienstes. Öffnen Sie ihn in diesem Browser.',
  link_opened: 'Sie können sich jetzt anmelden.',
  link_wrong: 'Dieser Link ist ungültig oder abgelaufen. Fordern Sie einen neuen an.',
  continue: 'Weiter',
  code: 'Code',
  code_sent:
    'Wenn {email} hier verwendet werden kann, haben wir einen Code dorthin gesendet. Er gilt 10 Minuten.',
  send_again: 'Neuen Code anfordern',
  code_sent_again:
    'Wenn {email} hier verwendet werden kann, haben wir einen weiteren Code dorthin gesendet, der 10 Minuten gilt. Sehen Sie auch im Spam-Ordner nach. An eine Adresse senden wir höchstens fünf Codes pro Stunde.',
  other_email: 'Andere E-Mail-Adresse verwenden',
  code_in_outbox:
    'Dieser Dienst sendet keine E-Mails. Wenn {email} hier verwendet werden kann, liegt der Code im Postausgang des Dienstes. Er gilt 10 Minuten.',
  open_outbox: 'Postausgang öffnen',
  code_wrong: 'Der Code ist falsch oder nicht mehr gültig.',
  reset_password: 'Neues Passwort setzen',
  reset_about: 'Geben Sie die E-Mail-Adresse Ihres Kontos ein und dann den Code, den Sie bekommen.',
  password_changed: 'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.',
  change_password: 'Passwort ändern',
  current_password: 'Bisheriges Passwort',
  wrong_password: 'Das bisherige Passwort ist falsch.',
  own_password_changed: 'Ihr Passwort wurde geändert, alle anderen Sitzungen wurden beendet.',
  password_too_short: 'Das Passwort braucht mindestens 12 Zeichen.',
  password_too_long: 'Das Passwort darf höchstens 256 Zeichen haben.',
  password_too_common: 'Dieses Passwort ist leicht zu erraten. Wählen Sie ein anderes.',
  email_invalid: 'Geben Sie eine gültige E-Mail-Adresse ein.',
  name_missing: 'Geben Sie Ihren Namen ein.',
  by_invitation: 'Konten gibt es nur auf Einladung. Verwenden Sie die E-Mail-Adresse, die eingeladen wurde.',
  choose_organization: 'Organisation wählen',
  choose_about: '{application} bittet um Zugriff. Für welche Organisation?',
  signed_in_as: 'Angemeldet als {email}',
  other_account: 'Anderes Konto verwenden',
  no_organization: 'Sie gehören noch zu keiner Organisation.',
  needs_organization: 'Noch keine Organisation',
  needs_organization_about:
    '{application} bittet um Zugriff auf eine Organisation, und Sie gehören noch zu keiner. Legen Sie hier eine an oder bitten Sie einen Eigentümer, {email} einzuladen.',
  create_organization: 'Organisation anlegen',
  organization_name: 'Name der Organisation',
  role_owner: 'Eigentümer',
  role_administrator: 'Administrator',
  role_viewer: 'Betrachter',
  role_front_desk: 'Empfang',
  role_installer: 'Installateur',
  role_site_administrator: 'Standortadministrator',
  role_site_viewer: 'Standortbetrachter',
  viewer_may_not:
    'Als Betrachter können Sie nicht erlauben, worum diese Anwendung bittet. Bitten Sie einen Eigentümer oder Administrator, es zu erlauben.',
  role_may_not:
    'Ihre Rolle erlaubt nicht, Anwendungen Zugriff zu geben. Bitten Sie einen Eigentümer oder Administrator.',
  consent: '{application} erlauben?',
  consent_about: '{application} möchte Zugriff auf {organization}. Die Anwendung kann dann:',
  scope_full_read_write: 'alles sehen und ändern und Türen öffnen, wie ein Administrator',
  scope_full_read_only: 'alles sehen, ohne es zu ändern',
  scope_members: 'Mitglieder, ihre PINs, Karten, Links und Gruppen sehen und ändern',
  scope_members_read: 'Mitglieder, ihre Karten und Gruppen sehen, ohne Geheimnisse',
  scope_devices: 'Geräte und Türen sehen und ihre Einstellungen ändern',
  scope_events_read: 'alles sehen, was geschieht und geschehen ist',
  scope_actions: 'Türen sehen und öffnen',
  scope_offline: 'den Zugriff auch in Ihrer Abwesenheit behalten, bis Sie ihn entziehen',
  not_granted: 'Nicht erteilt, weil Ihre Rolle es nicht erlaubt: {scope}',
  consent_leads_to: 'Danach gelangen Sie zu {address}.',
  consent_end: 'Sie können diesen Zugriff jederzeit in der Konsole unter „Anwendungen“ entziehen.',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  back_to: 'Zurück zu {application}',
  other_organization: 'Andere Organisation wählen',
  device_login: 'Terminal verbinden',
  device_about:
    'Geben Sie den Code ein, den Ihr Terminal anzeigt. Bevor es verbunden wird, sehen Sie, was es tun kann.',
  device_code: 'Code aus dem Terminal',
  device_wrong:
    'Kein Terminal wartet mit diesem Code. Prüfen Sie Ihre Eingabe, oder führen Sie `gatehouse login` noch einmal aus, um einen neuen Code zu erhalten.',
  device_consent: 'Das Terminal mit {organization} verbinden?',
  device_consent_about:
    'Mit {application} handelt das Terminal unter {address} für Sie in {organization}. Es kann dann:',
  device_check:
    'Erlauben Sie das nur, wenn Ihr eigenes Terminal den Code {code} zeigt. Wer Ihnen einen Code geschickt hat, bekäme diesen Zugriff.',
  device_allowed:
    'Das Terminal ist mit {organization} verbunden. Sie können diese Seite schließen und im Terminal weiterarbeiten.',
  device_denied: 'Das Terminal hat keinen Zugriff erhalten. Sie können diese Seite schließen.',
  something_wrong: 'Etwas ist schiefgegangen',
  try_again: 'Erneut versuchen',
  to_console: 'Zur Konsole',
  error_invalid_client: 'Die Anwendung, die Sie hierher geschickt hat, ist diesem Dienst nicht bekannt.',
  error_invalid_redirect_uri:
    'Die Anwendung wollte Sie an eine Adresse schicken, die sie nicht hinterlegt hat. Wir haben das nicht getan.',
  error_session_not_found:
    'Diese Seite ist abgelaufen. Gehen Sie zurück zur Anwendung und beginnen Sie von vorn.',
  error_invalid_request: 'Die Anwendung hat eine Anfrage gestellt, die wir nicht beantworten können.',
  error_server_error: 'Bei uns ist etwas schiefgegangen. Versuchen Sie es noch einmal.',
  recovered:
    'Dieser Dienst wurde aus einer Sicherung wiederhergestellt. Sie können alles ansehen und nichts ändern, bis sein Betreiber die Wiederherstellung bestätigt hat.',
  error_busy: 'Der Dienst ist ausgelastet. Versuchen Sie es in einigen Sekunden noch einmal.',
  error_form_expired:
    'Das Formular ist abgelaufen. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  error_not_found: 'Unter dieser Adresse gibt es keine Seite.',
  error_mail:
    'Die E-Mail konnte nicht gesendet werden. Versuchen Sie es später oder wenden Sie sich an {operator}.',
  operator: 'den Betreiber dieser Installation',
  error_details: 'Für Entwickler: {details}',
  your_account: 'Ihr Konto',
  your_organizations: 'Ihre Organisationen',
  your_invitations: 'Einladungen',
  invited_to: '{organization} lädt Sie ein als {role}.',
  accept: 'Annehmen',
  decline: 'Ablehnen',
  sign_out: 'Abmelden',
  second_step: 'Code eingeben',
  second_step_about:
    'Der Code aus Ihrer Authenticator-App. Wenn Sie sie nicht zur Hand haben: einer Ihrer Wiederherstellungscodes.',
  sign_in_again:
    'Melden Sie sich zum Fortfahren erneut an. Dafür darf Ihre Anmeldung höchstens 10 Minuten zurückliegen.',
  sign_in_with_factor:
    'Melden Sie sich zum Fortfahren mit Ihrem Passkey oder Ihrer Authenticator-App an. Statt des Codes aus der App können Sie einen Wiederherstellungscode eingeben. Wenn Sie nichts davon mehr haben, wenden Sie sich an {operator}.',
  signed_out_here: 'Sie wurden von dieser Organisation abgemeldet. Melden Sie sich erneut an.',
  second_factor_required:
    'Diese Organisation verlangt eine Anmeldung mit Passkey oder Authenticator-App. Ohne die App genügt ein Wiederherstellungscode.',
  security: 'Anmeldung und Sicherheit',
  set_up: 'eingerichtet',
  not_set_up: 'nicht eingerichtet',
  change_email: 'E-Mail-Adresse ändern',
  change_email_about:
    'Ihre Adresse ist {email}. Sie bestätigen die neue mit einem Code, und die alte bekommt eine Nachricht, sobald sie geändert ist.',
  new_email: 'Neue E-Mail-Adresse',
  email_changed: 'Ihre E-Mail-Adresse wurde geändert.',
  passkeys: 'Passkeys',
  passkeys_about:
    'Ein Passkey meldet Sie mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts an, ohne Passwort.',
  passkey_needs_script:
    'Um einen Passkey hinzuzufügen, brauchen Sie einen Browser, der Passkeys kennt, mit eingeschaltetem JavaScript.',
  passkey_name: 'Name des Passkeys',
  add_passkey: 'Passkey hinzufügen',
  passkey_added: 'hinzugefügt am {when}',
  passkey_not_added: 'Der Passkey wurde nicht hinzugefügt. Versuchen Sie es noch einmal.',
  remove: 'Entfernen',
  authenticator: 'Authenticator-App',
  authenticator_about:
    'Eine App auf Ihrem Handy zeigt alle 30 Sekunden einen neuen Code. Ist sie eingerichtet, genügt das Passwort allein nicht mehr für die Anmeldung.',
  scan_or_type:
    'Scannen Sie dies mit der App. Wenn die App auf diesem Gerät ist, öffnen Sie sie mit dem Link oder kopieren Sie den Schlüssel in sie.',
  open_authenticator: 'In einer Authenticator-App auf diesem Gerät öffnen',
  copy_key: 'Schlüssel kopieren',
  qr_code: 'QR-Code mit dem Schlüssel darunter',
  code_from_app: 'Code aus der App',
  turn_on: 'Einschalten',
  turn_off: 'Ausschalten',
  authenticator_on: 'Die Authenticator-App ist eingerichtet.',
  authenticator_removed: 'Die Authenticator-App ist ausgeschaltet.',
  recovery_codes: 'Wiederherstellungscodes',
  recovery_about:
    'Bewahren Sie diese Codes sicher auf. Jeder meldet Sie einmal an, wenn Sie die App nicht haben. Sie werden nur einmal gezeigt.',
  copy_codes: 'Codes kopieren',
  copied: 'Kopiert',
  save_codes: 'Als Textdatei speichern',
  recovery_left: 'Übrige Wiederherstellungscodes: {count}',
  new_recovery_codes: 'Neue Wiederherstellungscodes erzeugen',
  sessions: 'Wo Sie angemeldet sind',
  this_session: 'dieser Browser',
  session_since: 'angemeldet am {when}',
  end_other_sessions: 'Überall sonst abmelden',
  session_ended: 'Die Sitzung wurde beendet.',
  sessions_ended: 'Alle anderen Sitzungen wurden beendet.',
  delete_account: 'Konto löschen',
  delete_about:
    'Sie verlassen sofort alle Ihre Organisationen. Von Ihnen erlaubte Anwendungen laufen im Namen der Eigentümer weiter. Das lässt sich nicht rückgängig machen.',
  delete_confirm: 'Geben Sie zur Bestätigung Ihre E-Mail-Adresse ein',
  delete_mismatch: 'Das ist nicht die E-Mail-Adresse Ihres Kontos.',
  delete_last_owner:
    'Jede Organisation braucht einen Eigentümer, und hier sind Sie der letzte. Machen Sie zuerst jemand anderen zum Eigentümer oder löschen Sie die Organisation:',
  delete_applications: 'Eine Anwendung braucht ihren Entwickler. Löschen Sie zuerst, was Ihnen gehört:',
  account_deleted: 'Ihr Konto wurde gelöscht.',
  mail_open: 'Öffnen',
  mail_footer: 'Gesendet von Gatehouse auf {host}.',
  mail_email_subject: 'Ihr Code für die neue E-Mail-Adresse',
  mail_email_text:
    'Geben Sie diesen Code ein, damit dies die Adresse Ihres Kontos wird: {code}\n\nEr gilt 10 Minuten. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail.',
  mail_moved_subject: 'Die E-Mail-Adresse Ihres Kontos wurde geändert',
  mail_moved_text:
    'Ihr Konto hat jetzt die Adresse {email}, und alle anderen Sitzungen wurden beendet.\n\nWenn Sie das nicht waren, wenden Sie sich sofort an {operator}.',
  mail_factor_subject: 'Ihre Anmeldeeinstellungen wurden geändert',
  mail_factor_text:
    'Ein Passkey, die Authenticator-App oder die Wiederherstellungscodes Ihres Kontos wurden geändert, und alle anderen Sitzungen wurden beendet.\n\nWenn Sie das nicht waren, setzen Sie ein neues Passwort: {reset_url}',
  mail_deleted_subject: 'Ihr Konto wurde gelöscht',
  mail_deleted_text:
    'Ihr Konto wurde gelöscht, und Sie haben alle Organisationen verlassen.\n\nWenn Sie das nicht waren, wenden Sie sich sofort an {operator}.',
  mail_target_subject: 'Ihr Code für Alarme von {organization}',
  mail_target_text:
    '{organization} möchte Alarme an diese Adresse senden. Wenn Sie einverstanden sind, geben Sie diesen Code weiter: {code}\n\nDer Code gilt 10 Minuten. Wenn Sie diese E-Mails nicht möchten, ignorieren Sie diese.',
  mail_sign_up_subject: 'Ihr Code für Gatehouse',
  mail_sign_up_text:
    'Geben Sie diesen Code ein, um Ihr Konto anzulegen: {code}\n\nEr gilt 10 Minuten. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail.',
  mail_known_subject: 'Sie haben schon ein Konto',
  mail_known_text:
    'Jemand wollte mit dieser Adresse ein Konto anlegen; sie hat schon eines.\n\nAnmelden: {url}\nNeues Passwort setzen: {reset_url}',
  mail_reset_subject: 'Ihr Code für ein neues Passwort',
  mail_reset_text:
    'Geben Sie diesen Code ein, um ein neues Passwort zu setzen: {code}\n\nEr gilt 10 Minuten. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.',
  mail_changed_subject: 'Ihr Passwort wurde geändert',
  mail_changed_text:
    'Das Passwort Ihres Kontos wurde geändert, und alle anderen Sitzungen wurden beendet.\n\nWenn Sie das nicht waren, setzen Sie ein neues Passwort: {reset_url}',
  mail_invitation_subject: 'Sie sind eingeladen zu {organization}',
  mail_invitation_text:
    '{inviter} lädt Sie zu {organization} auf Gatehouse ein, als {role}.\n\nMelden Sie sich mit dieser Adresse an oder legen Sie mit ihr ein Konto an, um anzunehmen: {url}\n\nDie Einladung gilt 14 Tage.',
  mail_link_subject: 'Ihr Link zum Anmelden',
  mail_link_text:
    'Jemand probiert Passwörter für Ihr Konto aus, deshalb werden Anmeldungen verzögert. Öffnen Sie diesen Link in dem Browser, mit dem Sie sich anmelden möchten, dann können Sie es sofort versuchen:\n\n{url}\n\nEr gilt 2 Stunden. Er meldet niemanden an: Ihr Passwort wird weiterhin verlangt.',
  mail_weekly_subject: 'Die Woche bei {organization}',
  mail_weekly_text:
    '{from} bis {until}\n\nGeöffnet: {uses} · Abgelehnt: {denials} · Personen: {members} · Türen: {gadgets}\n\nAm meisten benutzt:\n{doors}\n\nDer ganze Bericht: {url}\n\nSie bekommen diese E-Mail, weil Sie sie in den Berichten der Konsole bestellt haben; dort können Sie sie auch abbestellen.',
  mail_weekly_door: '{door} · Geöffnet: {uses} · Abgelehnt: {denials}',
  mail_weekly_quiet: 'Es ist nichts passiert.',
  mail_passed_subject: '{application} läuft nun im Namen der Eigentümer von {organization}',
  mail_passed_text:
    'Die Person, die {application} den Zugriff auf {organization} erlaubt hatte, hat die Organisation verlassen. Der Zugriff besteht im Namen der Eigentümer fort.\n\nWenn er nicht mehr gebraucht wird, entziehen Sie ihn: {url}',
  mail_webhook_disabled_subject: 'Der Webhook von {application} wurde abgeschaltet',
  mail_webhook_disabled_text:
    'Gatehouse hat einen Webhook von {application} in {organization} abgeschaltet: Er hat 5 Tage lang nichts angenommen.\n\nWebhook: {webhook_id}\nEmpfänger: {host}\n\nWas versucht wurde und was zurückkam, steht im Protokoll seiner Zustellungen. Wenn der Empfänger wieder arbeitet, schalten Sie den Webhook ein (`is_enabled`) und senden Sie die verpassten Ereignisse erneut: {url}',
  door_action_open: 'Öffnen',
  door_state_closed: 'Geschlossen',
  door_state_open: 'Offen',
}
