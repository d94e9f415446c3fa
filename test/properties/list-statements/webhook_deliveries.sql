-- first page
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 AND (t.id, t.id) > ($4::text, $5) ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 AND (t.id, t.id) < ($4::text, $5) ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 AND (t.created_at, t.id) > ($4::timestamp with time zone, $5) ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 AND (t.created_at, t.id) < ($4::timestamp with time zone, $5) ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 AND t.organization_id = $4 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- webhook_id
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 AND t.webhook_id = $4 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- event_id
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 AND t.event_id = $4 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- status
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 AND t.status = $4 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 AND t.created_at > $4 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 AND t.created_at >= $4 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 AND t.created_at < $4 ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM webhook_deliveries t WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.oauth_application_id = $3 AND t.created_at <= $4 ORDER BY t.created_at desc, t.id desc LIMIT 21
