-- first page
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM alarms t WHERE t.organization_id = $1 AND (t.id, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM alarms t WHERE t.organization_id = $1 AND (t.id, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=started_at:asc, next page
SELECT … FROM alarms t WHERE t.organization_id = $1 AND (t.started_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.started_at asc, t.id asc LIMIT 21

-- sort=started_at:desc, next page
SELECT … FROM alarms t WHERE t.organization_id = $1 AND (t.started_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM alarms t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM alarms t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.organization_id = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- type
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.type = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- severity
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.severity = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- state
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.state = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- is_over
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.is_over = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- ended_at:gt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND coalesce(t.ended_at, '-infinity') > $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- ended_at:ge
SELECT … FROM alarms t WHERE t.organization_id = $1 AND coalesce(t.ended_at, '-infinity') >= $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- ended_at:lt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND (coalesce(t.ended_at, '-infinity') < $2 AND t.ended_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- ended_at:le
SELECT … FROM alarms t WHERE t.organization_id = $1 AND (coalesce(t.ended_at, '-infinity') <= $2 AND t.ended_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- site_id
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.site_id = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- device_id
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.device_id = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- gadget_id
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.gadget_id = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- member_id
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.member_id = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- emergency_id
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.emergency_id = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- webhook_id
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- calendar_id
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- started_at:gt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.started_at > $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- started_at:ge
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.started_at >= $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- started_at:lt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.started_at < $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- started_at:le
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.started_at <= $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- recorded_at:gt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.created_at > $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- recorded_at:ge
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.created_at >= $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- recorded_at:lt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.created_at < $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- recorded_at:le
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.created_at <= $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- last_occurred_at:gt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.last_occurred_at > $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- last_occurred_at:ge
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.last_occurred_at >= $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- last_occurred_at:lt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.last_occurred_at < $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- last_occurred_at:le
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.last_occurred_at <= $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- is_flapping
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.is_flapping = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- acknowledged_at:gt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND coalesce(t.acknowledged_at, '-infinity') > $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- acknowledged_at:ge
SELECT … FROM alarms t WHERE t.organization_id = $1 AND coalesce(t.acknowledged_at, '-infinity') >= $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- acknowledged_at:lt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND (coalesce(t.acknowledged_at, '-infinity') < $2 AND t.acknowledged_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- acknowledged_at:le
SELECT … FROM alarms t WHERE t.organization_id = $1 AND (coalesce(t.acknowledged_at, '-infinity') <= $2 AND t.acknowledged_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- acknowledged_by_user_id
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.acknowledged_by_user_id = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- snoozed_until:gt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND coalesce(t.snoozed_until, '-infinity') > $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- snoozed_until:ge
SELECT … FROM alarms t WHERE t.organization_id = $1 AND coalesce(t.snoozed_until, '-infinity') >= $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- snoozed_until:lt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND (coalesce(t.snoozed_until, '-infinity') < $2 AND t.snoozed_until IS NOT NULL) AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- snoozed_until:le
SELECT … FROM alarms t WHERE t.organization_id = $1 AND (coalesce(t.snoozed_until, '-infinity') <= $2 AND t.snoozed_until IS NOT NULL) AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- alarm_rule_ids
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.alarm_rule_ids @> $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- cause_alarm_id
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.cause_alarm_id = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- is_late
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.is_late = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- is_drill
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.is_drill = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- in_maintenance
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.in_maintenance = $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.created_at > $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.created_at >= $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.created_at < $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.created_at <= $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- metadata.source
SELECT … FROM alarms t WHERE t.organization_id = $1 AND t.metadata @> $2 AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT … FROM alarms t WHERE t.organization_id = $1 AND (t.started_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21) UNION ALL (SELECT … FROM alarms t WHERE t.organization_id = $1 AND (t.started_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = true ORDER BY t.started_at desc, t.id desc LIMIT 21)) t ORDER BY t.started_at desc, t.id desc LIMIT 21
