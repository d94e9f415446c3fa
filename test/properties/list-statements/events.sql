-- first page
SELECT … FROM events t WHERE t.organization_id = $1 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.id, t.id) > ($2::text, $3) ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.id, t.id) < ($2::text, $3) ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamp with time zone, $3) ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=recorded_at:asc, next page
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.recorded_at, t.id) > ($2::timestamp with time zone, $3) ORDER BY t.recorded_at asc, t.id asc LIMIT 21

-- sort=recorded_at:desc, next page
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.recorded_at, t.id) < ($2::timestamp with time zone, $3) ORDER BY t.recorded_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM events t WHERE t.organization_id = $1 AND t.organization_id = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- verb
SELECT … FROM events t WHERE t.organization_id = $1 AND t.verb = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM events t WHERE t.organization_id = $1 AND t.created_at > $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM events t WHERE t.organization_id = $1 AND t.created_at >= $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM events t WHERE t.organization_id = $1 AND t.created_at < $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM events t WHERE t.organization_id = $1 AND t.created_at <= $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- occurred_at:gt
SELECT … FROM events t WHERE t.organization_id = $1 AND t.created_at > $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- occurred_at:ge
SELECT … FROM events t WHERE t.organization_id = $1 AND t.created_at >= $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- occurred_at:lt
SELECT … FROM events t WHERE t.organization_id = $1 AND t.created_at < $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- occurred_at:le
SELECT … FROM events t WHERE t.organization_id = $1 AND t.created_at <= $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- recorded_at:gt
SELECT … FROM events t WHERE t.organization_id = $1 AND t.recorded_at > $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- recorded_at:ge
SELECT … FROM events t WHERE t.organization_id = $1 AND t.recorded_at >= $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- recorded_at:lt
SELECT … FROM events t WHERE t.organization_id = $1 AND t.recorded_at < $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- recorded_at:le
SELECT … FROM events t WHERE t.organization_id = $1 AND t.recorded_at <= $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- subject.member_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.subject->>'member_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- subject.member_email_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.subject->>'member_email_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- subject.member_magic_link_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.subject->>'member_magic_link_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- subject.member_pin_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.subject->>'member_pin_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- subject.member_card_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.subject->>'member_card_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- subject.member_token_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.subject->>'member_token_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- subject.user_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.subject->>'user_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- subject.oauth_application_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.subject->>'oauth_application_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.organization_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'organization_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.device_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'device_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.gadget_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'gadget_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.gadget_trigger_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'gadget_trigger_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.member_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'member_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.member_email_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'member_email_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.member_magic_link_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'member_magic_link_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.member_group_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'member_group_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.member_group_association_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'member_group_association_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.member_pin_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'member_pin_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.member_card_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'member_card_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.member_token_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'member_token_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.site_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'site_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.schedule_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'schedule_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.card_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'card_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.webhook_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'webhook_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.tag_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'tag_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.user_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'user_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.invitation_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'invitation_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.oauth_application_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'oauth_application_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.calendar_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'calendar_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.calendar_day_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'calendar_day_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.unlock_rule_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'unlock_rule_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.emergency_plan_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'emergency_plan_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.emergency_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'emergency_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.alarm_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'alarm_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.alarm_rule_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'alarm_rule_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.notification_target_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'notification_target_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.job_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'job_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.erasure_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'erasure_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.legal_hold_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'legal_hold_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.gadget_action_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'gadget_action_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.gadget_state_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'gadget_state_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.gadget_signal_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'gadget_signal_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.hardware_id
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'hardware_id') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- member_group_id
SELECT … FROM (SELECT t.* FROM (SELECT t.* FROM events t WHERE t.organization_id = $1 ORDER BY t.created_at desc, t.id desc OFFSET 0) t WHERE EXISTS (SELECT FROM member_group_associations c WHERE c.organization_id = $2 AND c.member_group_id = $3 AND NOT c.is_deleted AND c.member_id = (t.subject->>'member_id') OFFSET 0) ORDER BY t.created_at desc, t.id desc LIMIT 21) t ORDER BY t.created_at desc, t.id desc LIMIT 21

-- tag_id
SELECT … FROM (SELECT t.* FROM (SELECT t.* FROM events t WHERE t.organization_id = $1 ORDER BY t.created_at desc, t.id desc OFFSET 0) t WHERE EXISTS (SELECT FROM gadgets c WHERE c.organization_id = $2 AND c.tag_ids @> ARRAY[$3] AND c.id = (t.object->>'gadget_id') OFFSET 0) ORDER BY t.created_at desc, t.id desc LIMIT 21) t ORDER BY t.created_at desc, t.id desc LIMIT 21

-- subject.access_method
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.subject->>'access_method') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.type
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object->>'type') = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- object.changed_field
SELECT … FROM events t WHERE t.organization_id = $1 AND (t.object ? 'changes' AND jsonb_path_query_array(t.object, '$.changes[*].field') @> $2::jsonb) ORDER BY t.created_at desc, t.id desc LIMIT 21
