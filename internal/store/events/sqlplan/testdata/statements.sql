-- all rows of a table of the app's own
-- from users select users.uid, users.cc
SELECT u.uid, u.cc FROM users_ab u

-- columns of the row's user and state
-- from events where (events.c = 1) select users.cc, text(states.props."up.name")
SELECT u.cc, TEXT(MEMBER(st.props, 'up.name')) FROM events ev LEFT JOIN states st ON st.state = ev.state LEFT JOIN users_ab u ON u.uid = ev.uid WHERE ev.app = 'ab' AND (ev.c = 1)

-- the last state of a request's user
-- from requests select number(states.props."up.name")
SELECT NUMBER(MEMBER(st.props, 'up.name')) FROM requests rq ASOF LEFT JOIN LAST_STATES st WHERE rq.app = 'ab'

-- a member that is kept apart, and one that is not
-- from states select text(states.props."up.cc"), text(states.props."up.name"), absent(states.props."up.name")
SELECT st.KEPT_CC, TEXT(MEMBER(st.props, 'up.name')), (coalesce(json_type(MEMBER(st.props, 'up.name')), 'NULL') = 'NULL') FROM states st WHERE st.app = 'ab'

-- a member of requests is not kept apart
-- from requests select text(states.props."up.cc")
SELECT TEXT(MEMBER(st.props, 'up.cc')) FROM requests rq ASOF LEFT JOIN LAST_STATES st WHERE rq.app = 'ab'

-- a property in the slots of its events
-- from events select property("what")
SELECT CASE WHEN ev.e = '[CLY]_custom' AND ev.n = 'it''s' THEN ev.s1 WHEN ev.e = '[CLY]_view' THEN NULL END FROM events ev WHERE ev.app = 'ab'

-- a property of mixed type, with an event that no statement can name
-- from events select text(property("mixed"))
SELECT TEXT(CASE WHEN ev.e = '[CLY]_custom' AND ev.n = 'buy' THEN coalesce(MEMBER(ev.extra, 'mixed'), AS_JSON(ev.s1)) WHEN ev.e = '[CLY]_custom' AND ev.n = 'sell' THEN AS_JSON(ev.n2) END) FROM events ev WHERE ev.app = 'ab'

-- a property of no event
-- from events select property("none")
SELECT NULL FROM events ev WHERE ev.app = 'ab'

-- slots by themselves
-- from events select slot(s1), slot(n2), slot("mixed")
SELECT ev.s1, ev.n2, TEXT(MEMBER(ev.extra, 'mixed')) FROM events ev WHERE ev.app = 'ab'

-- literals, of which texts and fractions are arguments
-- from users where ((users.name = "it's") or (users.sd > 0.5)) select null, true, -3
SELECT NULL, TRUE, -3 FROM users_ab u WHERE ((u.name = ?) OR (u.sd > ?))
-- ? = "it's"
-- ? = 0.5

-- logic of nothing
-- from users where not((true or false)) select users.uid
SELECT u.uid FROM users_ab u WHERE (NOT coalesce((TRUE OR FALSE), FALSE))

-- arithmetic: columns are widened
-- from events select (events.c + 1), (events.ts div 60), (events.s * events.dur), per(events.s, events.c)
SELECT (CAST(ev.c AS BIGINT) + 1), DIV(CAST(ev.ts AS BIGINT), 60), (ev.s * ev.dur), (CAST(ev.s AS DOUBLE) / nullif(CAST(ev.c AS DOUBLE), 0)) FROM events ev WHERE ev.app = 'ab'

-- texts
-- from events select concat(events.n, "-", events.c), lower(events.n), place(events.n, "a", "b")
SELECT concat(coalesce(ev.n, ''), coalesce(?, ''), coalesce(TEXT(ev.c), '')), LOWER(ev.n), PLACE(ev.n, ?, ?) FROM events ev WHERE ev.app = 'ab'
-- ? = "-"
-- ? = "a"
-- ? = "b"

-- few texts, one, none, and numbers
-- from events where ((events.n in ["a", "b"]) and (events.n in ["a"]) and (events.c in [1, 2]) and (events.c in [])) select events.off
SELECT ev.off FROM events ev WHERE ev.app = 'ab' AND (LISTED(ev.n, ?, ?) AND (ev.n IN (?)) AND (ev.c IN (1, 2)) AND FALSE)
-- ? = "a"
-- ? = "b"
-- ? = "a"

-- a query in a condition
-- from events where (events.state in (from states where filter({"cc":"DE"}; cc = states.props."up.cc") select states.state)) select events.off
SELECT ev.off FROM events ev WHERE ev.app = 'ab' AND (ev.state IN (SELECT st.state FROM states st WHERE st.app = 'ab' AND (((st.KEPT_CC) IS NOT NULL AND (st.KEPT_CC) = ?))))
-- ? = "DE"

-- a filter: paths are written in, operands are arguments
-- from events where filter({"c":{"$gt":1},"chr":"c1","nothing":1,"sg.what":"x"}; c = events.c, chr = cohorts(events.uid; "c1": set of 2), sg.what = property("what")) select events.off
SELECT ev.off FROM events ev WHERE ev.app = 'ab' AND ((((ev.c) IS NOT NULL AND (ev.c) > ?) AND (ev.uid IN (3, 5)) AND FALSE AND ((CASE WHEN ev.e = '[CLY]_custom' AND ev.n = 'it''s' THEN ev.s1 END) IS NOT NULL AND (CASE WHEN ev.e = '[CLY]_custom' AND ev.n = 'it''s' THEN ev.s1 END) = ?)))
-- ? = 1
-- ? = "x"

-- few users, many, none
-- from users select (users.uid in set of 2), (users.uid in set of 65), (users.uid in set of 0)
SELECT (u.uid IN (1, 2)), HAS(?, u.uid), FALSE FROM users_ab u
-- ? = "[18446744073709551614,3]"

-- keys of objects
-- from users select distinct keys(users.custom) order by keys(users.custom)
SELECT DISTINCT KEYS(u.custom) FROM users_ab u ORDER BY 1 NULLS LAST

-- an order by what is selected, and by what is not
-- from events select events.n order by events.n desc, events.ts
SELECT ev.n FROM events ev WHERE ev.app = 'ab' ORDER BY 1 DESC NULLS LAST, ev.ts NULLS LAST

-- aggregates of all rows
-- from events select count(*), sum(events.c), sum(events.s) when (events.c = 1), every((events.n = "x"))
SELECT count(*), SUM_WHOLE(ev.c), coalesce(sum(ev.s) FILTER (WHERE (ev.c = 1)), 0), EVERY(coalesce((ev.n = ?), FALSE)) FROM events ev WHERE ev.app = 'ab'
-- ? = "x"

-- ranks of the same values know of each other
-- from events select rank(9500, events.s), rank(5000, events.s), rank(5000, events.dur)
SELECT RANK(ev.s, 9500 of [5000 9500]), RANK(ev.s, 5000 of [5000 9500]), RANK(ev.dur, 5000 of [5000]) FROM events ev WHERE ev.app = 'ab'

-- groups without users
-- from events select events.n, count(*), groups(*) having (count(*) > 3)
SELECT ev.n, count(*), count(*) OVER () FROM events ev WHERE ev.app = 'ab' GROUP BY 1 HAVING (count(*) > 3)

-- groups and all rows
-- from events select events.n, count(*) and of all order by events.n
SELECT ev.n, count(*) FROM events ev WHERE ev.app = 'ab' GROUP BY GROUPING SETS ((1), ()) ORDER BY 1 NULLS LAST
-- or
SELECT * FROM (SELECT ev.n, count(*) FROM events ev WHERE ev.app = 'ab' GROUP BY 1 UNION ALL SELECT NULL, count(*) FROM events ev WHERE ev.app = 'ab') ORDER BY 1 NULLS LAST

-- users in groups
-- from events select events.n, count(*), count_distinct(events.uid) order by count_distinct(events.uid) desc, events.n limit 2 offset 1
WITH r AS MATERIALIZED (SELECT ev.n AS k0, ev.uid AS x, count(*) AS o0 FROM events ev WHERE ev.app = 'ab' GROUP BY 1, 2) SELECT r.k0, CAST(coalesce(sum(r.o0), 0) AS BIGINT), count(r.x) FROM r GROUP BY r.k0 ORDER BY 3 DESC NULLS LAST, 1 NULLS LAST LIMIT 2 OFFSET 1
-- or
SELECT ev.n, count(*), count(DISTINCT ev.uid) FROM events ev WHERE ev.app = 'ab' GROUP BY 1 ORDER BY 3 DESC NULLS LAST, 1 NULLS LAST LIMIT 2 OFFSET 1

-- users in groups, and of all rows
-- from events select events.n, count(*), count_distinct(events.uid) and of all order by count_distinct(events.uid) desc, events.n limit 2 offset 1
WITH r AS MATERIALIZED (SELECT ev.n AS k0, ev.uid AS x, count(*) AS o0 FROM events ev WHERE ev.app = 'ab' GROUP BY 1, 2) SELECT * FROM (SELECT r.k0, CAST(coalesce(sum(r.o0), 0) AS BIGINT), count(r.x) FROM r GROUP BY r.k0 UNION ALL SELECT NULL, CAST(coalesce(sum(r.o0), 0) AS BIGINT), count(DISTINCT r.x) FROM r) ORDER BY 3 DESC NULLS LAST, 1 NULLS LAST LIMIT 2 OFFSET 1
-- or
SELECT * FROM (SELECT ev.n, count(*), count(DISTINCT ev.uid) FROM events ev WHERE ev.app = 'ab' GROUP BY 1 UNION ALL SELECT NULL, count(*), count(DISTINCT ev.uid) FROM events ev WHERE ev.app = 'ab') ORDER BY 3 DESC NULLS LAST, 1 NULLS LAST LIMIT 2 OFFSET 1

-- groups by what is known of states alone
-- from events where (events.n = "x") select text(states.props."up.name"), count_distinct(events.uid)
WITH r AS MATERIALIZED (SELECT ev.*, TEXT(MEMBER(st.props, 'up.name')) AS k0 FROM (SELECT ev.state AS state, ev.uid AS x FROM events ev WHERE ev.app = 'ab' AND (ev.n = ?) GROUP BY 1, 2) ev LEFT JOIN states st ON st.state = ev.state) SELECT r.k0, count(DISTINCT r.x) FROM r GROUP BY r.k0
-- ? = "x"
-- or
SELECT TEXT(MEMBER(st.props, 'up.name')), count(DISTINCT ev.uid) FROM events ev LEFT JOIN states st ON st.state = ev.state WHERE ev.app = 'ab' AND (ev.n = ?) GROUP BY 1
-- ? = "x"

-- two kinds of units are not gathered
-- from events select events.n, count_distinct(events.uid), count_distinct(events.session)
SELECT ev.n, count(DISTINCT ev.uid), count(DISTINCT ev.session) FROM events ev WHERE ev.app = 'ab' GROUP BY 1

-- details of groups
-- from events select events.n, count(*), count_distinct(events.uid) order by count_distinct(events.uid) desc, events.n limit 2 offset 1 and of all, by events.hour, of the rest
WITH r AS MATERIALIZED (SELECT ev.n AS k0, ev.hour AS b, ev.uid AS x, count(*) AS o0 FROM events ev WHERE ev.app = 'ab' GROUP BY 1, 2, 3), t AS MATERIALIZED (SELECT *, row_number() OVER (ORDER BY p0 DESC NULLS LAST, p1 NULLS LAST) AS place FROM (SELECT r.k0 AS c0, CAST(coalesce(sum(r.o0), 0) AS BIGINT) AS c1, count(DISTINCT r.x) AS c2, r.k0 AS k0, count(DISTINCT r.x) AS p0, r.k0 AS p1 FROM r GROUP BY r.k0) AS g ORDER BY place LIMIT 2 OFFSET 1), m AS MATERIALIZED (SELECT r.k0 AS k0, r.b AS b, r.x AS x, r.o0 AS o0, t.place AS place FROM r LEFT JOIN t ON t.k0 IS NOT DISTINCT FROM r.k0) SELECT c0, c1, c2, part, b FROM (SELECT t.c0 AS c0, t.c1 AS c1, t.c2 AS c2, 0 AS part, NULL AS b, t.place AS place FROM t UNION ALL SELECT NULL AS c0, CAST(coalesce(sum(r.o0), 0) AS BIGINT) AS c1, count(DISTINCT r.x) AS c2, 1 AS part, NULL AS b, NULL AS place FROM r UNION ALL SELECT r.k0 AS c0, CAST(coalesce(sum(r.o0), 0) AS BIGINT) AS c1, count(r.x) AS c2, 2 AS part, r.b AS b, r.place AS place FROM m AS r WHERE r.place IS NOT NULL GROUP BY r.k0, r.b, r.place UNION ALL SELECT NULL AS c0, CAST(coalesce(sum(r.o0), 0) AS BIGINT) AS c1, count(DISTINCT r.x) AS c2, 3 AS part, NULL AS b, NULL AS place FROM m AS r WHERE r.place IS NULL UNION ALL SELECT NULL AS c0, CAST(coalesce(sum(r.o0), 0) AS BIGINT) AS c1, count(DISTINCT r.x) AS c2, 4 AS part, r.b AS b, NULL AS place FROM m AS r WHERE r.place IS NULL GROUP BY r.b) AS u ORDER BY part, b NULLS LAST, place
-- or
SELECT c0, c1, c2, part, b FROM (SELECT CASE WHEN r.part IN (0, 2) THEN r.k0 END AS c0, CAST(coalesce(sum(r.o0), 0) AS BIGINT) AS c1, count(DISTINCT r.x) AS c2, r.part AS part, r.b AS b, r.place AS place FROM (SELECT p.part AS part, r.of AS of, CASE WHEN p.part IN (0, 2) THEN r.k0 END AS k0, CASE WHEN p.part IN (2, 4) THEN r.b END AS b, r.x AS x, r.o0 AS o0, CASE WHEN p.part IN (0, 2) THEN r.place END AS place, r.n AS n FROM (SELECT CASE WHEN t.place IS NULL THEN 0 ELSE 1 END AS of, r.k0 AS k0, r.b AS b, r.x AS x, r.o0 AS o0, t.place AS place, t.n AS n FROM (SELECT ev.n AS k0, ev.hour AS b, ev.uid AS x, count(*) AS o0 FROM events ev WHERE ev.app = 'ab' GROUP BY 1, 2, 3) AS r LEFT JOIN (SELECT *, row_number() OVER (ORDER BY p0 DESC NULLS LAST, p1 NULLS LAST) AS place FROM (SELECT r.k0 AS c0, CAST(coalesce(sum(r.o0), 0) AS BIGINT) AS c1, count(DISTINCT r.x) AS c2, r.k0 AS k0, count(*) OVER () AS n, count(DISTINCT r.x) AS p0, r.k0 AS p1 FROM (SELECT ev.n AS k0, ev.hour AS b, ev.uid AS x, count(*) AS o0 FROM events ev WHERE ev.app = 'ab' GROUP BY 1, 2, 3) AS r GROUP BY r.k0) AS g ORDER BY place LIMIT 2 OFFSET 1) AS t ON t.k0 IS NOT DISTINCT FROM r.k0 UNION ALL SELECT 2 AS of, NULL AS k0, NULL AS b, NULL AS x, NULL AS o0, NULL AS place, NULL AS n) AS r INNER JOIN (SELECT 0 AS part, 1 AS of UNION ALL SELECT 1, 0 UNION ALL SELECT 1, 1 UNION ALL SELECT 1, 2 UNION ALL SELECT 2, 1 UNION ALL SELECT 3, 0 UNION ALL SELECT 3, 2 UNION ALL SELECT 4, 0) AS p ON p.of = r.of) AS r GROUP BY r.part, r.k0, r.b, r.place) AS u ORDER BY part, b NULLS LAST, place

-- a bound of rows
-- from events select events.n, count(*), count_distinct(events.uid) order by count_distinct(events.uid) desc, events.n limit 2 offset 1 of at most 9 rows with (events.c = 1)
WITH s AS MATERIALIZED (SELECT ev.n AS k0, ev.uid AS o1, coalesce((ev.c = 1), FALSE) AS m FROM events ev WHERE ev.app = 'ab'), r AS NOT MATERIALIZED (SELECT s.* FROM s WHERE AT_MOST(9, SELECT 1 FROM s WHERE s.m)) SELECT r.k0, count(*), count(DISTINCT r.o1) FROM r GROUP BY r.k0 ORDER BY 3 DESC NULLS LAST, 1 NULLS LAST LIMIT 2 OFFSET 1
-- or
SELECT ev.n, count(*), count(DISTINCT ev.uid) FROM events ev WHERE ev.app = 'ab' AND AT_MOST(9, SELECT 1 FROM events ev WHERE ev.app = 'ab' AND (ev.c = 1)) GROUP BY 1 ORDER BY 3 DESC NULLS LAST, 1 NULLS LAST LIMIT 2 OFFSET 1

