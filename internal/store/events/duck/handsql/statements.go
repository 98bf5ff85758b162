package handsql

// statements are by the name of their question. All columns whose name begins with f are added up to the figure, of all rows.
var statements = map[string]string{
	// Users of each day and of all days, events of all days.
	"an event by day, filtered by country": `
WITH rows AS MATERIALIZED (
 SELECT (ts - {from}) // 86400000 AS day, uid, sum(c) AS c, sum(s) AS s, sum(dur) AS dur
 FROM {events} WHERE e = '[CLY]_custom' AND n = 'Open Product' AND ts >= {from} AND ts < {to}
 AND state IN (SELECT state FROM {states} WHERE cc IN ('DE', 'US')) GROUP BY ALL
)
SELECT day, count(*) AS fu, 0 AS ft, sum(c), sum(s), sum(dur) FROM rows GROUP BY day
UNION ALL SELECT NULL, count(DISTINCT uid), sum(c), NULL, sum(s), sum(dur) FROM rows`,
	// Of views, those count that begin a visit: the first number of a view says so.
	"people who viewed, by day": `
WITH rows AS MATERIALIZED (
 SELECT (ts - {from}) // 86400000 AS day, uid, max(n1 <> 0) AS visited, sum(c) FILTER (n1 <> 0) AS c, sum(s) AS s, sum(dur) AS dur
 FROM {events} WHERE e = '[CLY]_view' AND ts >= {from} AND ts < {to} GROUP BY ALL
)
SELECT day, count(*) FILTER (visited) AS fu, 0 AS ft, sum(c), sum(s), sum(dur) FROM rows GROUP BY day
UNION ALL SELECT NULL, count(DISTINCT uid) FILTER (visited), sum(c), NULL, sum(s), sum(dur) FROM rows`,
	// Users of each value and of all values, events of all values.
	"an event by a property of 400 values": `
SELECT s1, count(DISTINCT uid) AS fu, CASE WHEN grouping(s1) = 1 THEN sum(c) END AS ft, sum(s), sum(dur)
FROM {events} WHERE e = '[CLY]_custom' AND n = 'Share Product' AND ts >= {from} AND ts < {to}
GROUP BY GROUPING SETS ((s1), ())`,
	// As before, of the 1,000 values with most events.
	"an event by a property of 10,000 values": `
WITH rows AS MATERIALIZED (
 SELECT s2, uid, sum(c) AS c, sum(s) AS s, sum(dur) AS dur FROM {events} WHERE e = '[CLY]_custom' AND n = 'Tap Product' AND ts >= {from} AND ts < {to} GROUP BY ALL
)
(SELECT s2, count(*) AS fu, 0 AS ft, sum(c) AS c, sum(s), sum(dur) FROM rows GROUP BY s2 ORDER BY c DESC, s2 LIMIT 1000)
UNION ALL SELECT NULL, count(DISTINCT uid), sum(c), NULL, sum(s), sum(dur) FROM rows`,
	// Users of all, of the 100 groups with most events and of what is left, and of the latter two by day; events of all.
	"views by three properties, with other": `
WITH rows AS MATERIALIZED (
 SELECT st.cc, st.p, st.av, ev.* FROM (
  SELECT state, (ts - {from}) // 86400000 AS day, uid, max(n1 <> 0) AS visited, sum(c) FILTER (n1 <> 0) AS c, sum(s) AS s, sum(dur) AS dur
  FROM {events} WHERE e = '[CLY]_view' AND ts >= {from} AND ts < {to} GROUP BY ALL
 ) ev LEFT JOIN {states} st USING (state)
), top AS MATERIALIZED (
 SELECT cc, p, av, count(DISTINCT uid) FILTER (visited) AS u, sum(c) AS c, sum(s) AS s, sum(dur) AS dur, row_number() OVER (ORDER BY sum(c) DESC, cc, p, av) AS place
 FROM rows GROUP BY cc, p, av ORDER BY place LIMIT 100
), placed AS MATERIALIZED (
 SELECT rows.*, top.place FROM rows LEFT JOIN top
 ON top.cc IS NOT DISTINCT FROM rows.cc AND top.p IS NOT DISTINCT FROM rows.p AND top.av IS NOT DISTINCT FROM rows.av
)
SELECT place, NULL AS day, u AS fu, 0 AS ft, c, s, dur FROM top
UNION ALL SELECT NULL, NULL, count(DISTINCT uid) FILTER (visited), sum(c), NULL, sum(s), sum(dur) FROM rows
UNION ALL SELECT place, day, count(DISTINCT uid) FILTER (visited), 0, sum(c), sum(s), sum(dur) FROM placed WHERE place IS NOT NULL GROUP BY place, day
UNION ALL SELECT NULL, NULL, count(DISTINCT uid) FILTER (visited), 0, sum(c), sum(s), sum(dur) FROM placed WHERE place IS NULL
UNION ALL SELECT NULL, day, count(DISTINCT uid) FILTER (visited), 0, sum(c), sum(s), sum(dur) FROM placed WHERE place IS NULL GROUP BY day`,
	// Events of all days, the percentile of each day.
	"percentiles of a sum by day": `
SELECT (ts - {from}) // 86400000 AS day, count(DISTINCT uid) AS fu, CASE WHEN grouping((ts - {from}) // 86400000) = 1 THEN sum(c) END AS ft, sum(s), sum(dur),
quantile_disc(s, [0.5, 0.95])[2] AS f95, quantile_disc(s, [0.5, 0.95])[1]
FROM {events} WHERE e = '[CLY]_custom' AND n = 'Buy Product' AND ts >= {from} AND ts < {to}
GROUP BY GROUPING SETS ((day), ())`,
	"an event of those who did not do another": `
SELECT (ts - {from}) // 86400000 AS day, count(DISTINCT uid) AS fu, CASE WHEN grouping((ts - {from}) // 86400000) = 1 THEN sum(c) END AS ft, sum(s), sum(dur)
FROM {events} WHERE e = '[CLY]_custom' AND n = 'Open Product' AND ts >= {from} AND ts < {to}
AND uid NOT IN (SELECT uid FROM {events} WHERE e = '[CLY]_custom' AND n = 'Buy Product' AND ts >= {from} AND ts < {to})
GROUP BY GROUPING SETS ((day), ())`,
	// Users who reached each step. The latest start from which steps 1 to k were done is kept along the events of a user.
	"funnel of 5 steps in sequence": `
WITH ev AS (
 SELECT uid, ts, off, item, CASE n WHEN 'Open Product' THEN 1 WHEN 'Tap Product' THEN 2 WHEN 'Buy Product' THEN 3 WHEN 'Share Product' THEN 4 ELSE 5 END AS k
 FROM {events} WHERE e = '[CLY]_custom' AND n IN ('Open Product', 'Tap Product', 'Buy Product', 'Share Product', 'Rate Product') AND ts >= {from} AND ts < {to}
), a1 AS (SELECT *, max(CASE WHEN k = 1 THEN ts END) OVER w AS s1 FROM ev WINDOW w AS (PARTITION BY uid ORDER BY ts, off, item))
, a2 AS (SELECT *, max(CASE WHEN k = 2 AND ts - s1 <= 86400000 THEN s1 END) OVER w AS s2 FROM a1 WINDOW w AS (PARTITION BY uid ORDER BY ts, off, item))
, a3 AS (SELECT *, max(CASE WHEN k = 3 AND ts - s2 <= 86400000 THEN s2 END) OVER w AS s3 FROM a2 WINDOW w AS (PARTITION BY uid ORDER BY ts, off, item))
, a4 AS (SELECT *, max(CASE WHEN k = 4 AND ts - s3 <= 86400000 THEN s3 END) OVER w AS s4 FROM a3 WINDOW w AS (PARTITION BY uid ORDER BY ts, off, item))
, a5 AS (SELECT uid, CASE WHEN k = 5 AND ts - s4 <= 86400000 THEN 5 WHEN s4 IS NOT NULL THEN 4 WHEN s3 IS NOT NULL THEN 3 WHEN s2 IS NOT NULL THEN 2 WHEN s1 IS NOT NULL THEN 1 ELSE 0 END AS depth FROM a4)
SELECT depth, count(*) * depth AS f FROM (SELECT uid, max(depth) AS depth FROM a5 GROUP BY uid) GROUP BY depth`,
	// Within a day from an event on, all steps up to the one reached.
	"funnel of 5 steps in any order": `
WITH ev AS (
 SELECT uid, ts, CASE n WHEN 'Open Product' THEN 1 WHEN 'Tap Product' THEN 2 WHEN 'Buy Product' THEN 4 WHEN 'Share Product' THEN 8 ELSE 16 END AS k
 FROM {events} WHERE e = '[CLY]_custom' AND n IN ('Open Product', 'Tap Product', 'Buy Product', 'Share Product', 'Rate Product') AND ts >= {from} AND ts < {to}
), a AS (SELECT uid, bit_or(k) OVER (PARTITION BY uid ORDER BY ts RANGE BETWEEN CURRENT ROW AND 86400000 FOLLOWING) AS done FROM ev),
b AS (SELECT uid, max(CASE WHEN done & 31 = 31 THEN 5 WHEN done & 15 = 15 THEN 4 WHEN done & 7 = 7 THEN 3 WHEN done & 3 = 3 THEN 2 ELSE done & 1 END) AS depth FROM a GROUP BY uid)
SELECT depth, count(*) * depth AS f FROM b GROUP BY depth`,
	// Five rows of a user that follow each other.
	"funnel of 5 steps, strict": `
WITH ev AS (
 SELECT uid, ts, off, item, CASE n WHEN 'Open Product' THEN 1 WHEN 'Tap Product' THEN 2 WHEN 'Buy Product' THEN 3 WHEN 'Share Product' THEN 4 WHEN 'Rate Product' THEN 5 ELSE 0 END * (e = '[CLY]_custom')::INT AS k
 FROM {events} WHERE e IN ('[CLY]_custom', '[CLY]_view') AND ts >= {from} AND ts < {to}
), a AS (
 SELECT uid, k, ts, lead(k, 1) OVER w AS k2, lead(ts, 1) OVER w AS t2, lead(k, 2) OVER w AS k3, lead(ts, 2) OVER w AS t3, lead(k, 3) OVER w AS k4, lead(ts, 3) OVER w AS t4, lead(k, 4) OVER w AS k5, lead(ts, 4) OVER w AS t5
 FROM ev WINDOW w AS (PARTITION BY uid ORDER BY ts, off, item)
), b AS (
 SELECT uid, CASE WHEN k2 = 2 AND k3 = 3 AND k4 = 4 AND k5 = 5 AND t5 - ts <= 86400000 THEN 5 WHEN k2 = 2 AND k3 = 3 AND k4 = 4 AND t4 - ts <= 86400000 THEN 4
 WHEN k2 = 2 AND k3 = 3 AND t3 - ts <= 86400000 THEN 3 WHEN k2 = 2 AND t2 - ts <= 86400000 THEN 2 ELSE 1 END AS depth FROM a WHERE k = 1
)
SELECT depth, count(*) * depth AS f FROM (SELECT uid, max(depth) AS depth FROM b GROUP BY uid) GROUP BY depth`,
	// Users of a cohort, and those of it who came back, of each day, behind the period, too, but no later than today.
	"retention by day, first session": `
WITH days AS (SELECT DISTINCT uid, ts // 86400000 AS day FROM {requests} WHERE flags & 1 = 1 AND ts < {known}),
first AS (SELECT uid, min(day) AS began FROM days GROUP BY uid HAVING min(day) >= {from} // 86400000 AND min(day) < {to} // 86400000)
SELECT began, day - began AS age, count(*) AS f FROM first JOIN days USING (uid) WHERE day - began <= 30 GROUP BY ALL`,
	"retention by day, recurring session": `
WITH days AS MATERIALIZED (SELECT DISTINCT uid, ts // 86400000 AS day FROM {requests} WHERE flags & 1 = 1 AND ts >= {from} AND ts < {known})
SELECT a.day, b.day - a.day AS age, count(*) AS f FROM days a JOIN days b ON a.uid = b.uid AND b.day BETWEEN a.day AND a.day + 30 WHERE a.day < {to} // 86400000 GROUP BY ALL`,
	"retention by day, recurring event, filtered": `
WITH starts AS (
 SELECT DISTINCT uid, ts // 86400000 AS day FROM {events} WHERE e = '[CLY]_custom' AND n = 'Open Product' AND ts >= {from} AND ts < {to}
 AND state IN (SELECT state FROM {states} WHERE cc = 'DE')
), days AS (SELECT DISTINCT uid, ts // 86400000 AS day FROM {requests} WHERE flags & 1 = 1 AND ts >= {from} AND ts < {known})
SELECT a.day, b.day - a.day AS age, count(*) AS f FROM starts a JOIN days b ON a.uid = b.uid AND b.day BETWEEN a.day + 1 AND a.day + 30 GROUP BY ALL
UNION ALL SELECT day, 0, count(*) FROM starts GROUP BY ALL`,
	// Users who are new, came back and were there the day before, of each day, and who were there the day before and are not.
	"lifecycle and stickiness by day": `
WITH days AS MATERIALIZED (SELECT DISTINCT uid, ts // 86400000 AS day FROM {requests} WHERE flags & 1 = 1 AND ts < {to}),
gaps AS MATERIALIZED (SELECT uid, day, day - lag(day) OVER w AS gap, lead(day) OVER w AS next FROM days WINDOW w AS (PARTITION BY uid ORDER BY day)),
inside AS MATERIALIZED (SELECT uid, count(*) AS active, median(gap) AS gap FROM gaps WHERE day >= {from} // 86400000 GROUP BY uid)
SELECT day, count(*) AS f, count(*) FILTER (gap IS NULL), count(*) FILTER (gap = 1), count(*) FILTER (gap > 1), count(*) FILTER (next IS DISTINCT FROM day + 1)
FROM gaps WHERE day >= {from} // 86400000 GROUP BY day
UNION ALL SELECT active, 0, count(*), NULL, NULL, NULL FROM inside GROUP BY active
UNION ALL SELECT gap, 0, count(*), NULL, NULL, NULL FROM inside WHERE gap IS NOT NULL GROUP BY gap`,
	"formula of two events by day": `
SELECT (ts - {from}) // 86400000 AS day, count(DISTINCT uid) FILTER (n = 'Buy Product') / count(DISTINCT uid) FILTER (n = 'Open Product') AS f
FROM {events} WHERE e = '[CLY]_custom' AND n IN ('Buy Product', 'Open Product') AND ts >= {from} AND ts < {to}
AND state IN (SELECT state FROM {states} WHERE cc = 'DE')
GROUP BY day`,
}
