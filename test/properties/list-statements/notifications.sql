-- first page
SELECT … FROM notifications t WHERE t.organization_id = $1 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM notifications t WHERE t.organization_id = $1 AND (t.id, t.id) > ($2::text, $3) ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM notifications t WHERE t.organization_id = $1 AND (t.id, t.id) < ($2::text, $3) ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM notifications t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamp with time zone, $3) ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM notifications t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM notifications t WHERE t.organization_id = $1 AND t.organization_id = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- notification_target_id
SELECT … FROM notifications t WHERE t.organization_id = $1 AND t.notification_target_id = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- user_id
SELECT … FROM notifications t WHERE t.organization_id = $1 AND t.user_id = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- channel
SELECT … FROM notifications t WHERE t.organization_id = $1 AND t.channel = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- alarm_id
SELECT … FROM notifications t WHERE t.organization_id = $1 AND t.alarm_id = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- alarm_rule_id
SELECT … FROM notifications t WHERE t.organization_id = $1 AND t.alarm_rule_id = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- reason
SELECT … FROM notifications t WHERE t.organization_id = $1 AND t.reason = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- status
SELECT … FROM notifications t WHERE t.organization_id = $1 AND t.status = $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM notifications t WHERE t.organization_id = $1 AND t.created_at > $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM notifications t WHERE t.organization_id = $1 AND t.created_at >= $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM notifications t WHERE t.organization_id = $1 AND t.created_at < $2 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM notifications t WHERE t.organization_id = $1 AND t.created_at <= $2 ORDER BY t.created_at desc, t.id desc LIMIT 21
