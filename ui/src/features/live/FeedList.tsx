import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../i18n';
import type { App } from '../../access/apps';
import type { Entry } from './api';
import type { Described } from './describe';
import './live.css';

interface Props {
  app: App;
  entries: readonly { entry: Entry; said: Described }[];
}

/** The requests that were recorded, the newest first. */
export function FeedList({ app, entries }: Props) {
  const { t } = useTranslation();
  const locale = useLocale();
  const clock = useMemo(() => clockOf(locale, app.timezone), [locale, app.timezone]);
  return (
    <ol className="feed" aria-label={t('live.feed')} tabIndex={0}>
      {entries.map(({ entry, said }) => (
        <Row key={entry.id} appID={app._id} entry={entry} said={said} time={clock(entry.at)} />
      ))}
    </ol>
  );
}

/** How a moment is written in the app's time zone: the time of day to the second; of days before, the day and the minute. */
function clockOf(locale: string, zone: string): (ms: number) => string {
  const written = (options: Intl.DateTimeFormatOptions) => {
    try {
      return new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    } catch {
      return new Intl.DateTimeFormat(locale, options); // a zone that this browser does not know
    }
  };
  const time = written({ hour: 'numeric', minute: '2-digit', second: '2-digit' });
  const moment = written({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
  const day = written({ dateStyle: 'short' });
  return (ms) => (day.format(ms) === day.format(Date.now()) ? time : moment).format(ms);
}

const Row = memo(function Row({ appID, entry, said, time }: { appID: string; entry: Entry; said: Described; time: string }) {
  const { t } = useTranslation();
  return (
    <li className="feed-row">
      <Text component="time" size="sm" c="dimmed" className="numbers" dateTime={new Date(entry.at).toISOString()}>
        {time}
      </Text>
      <div className="feed-what">
        {said.marks.map((m) => (
          <span key={m.id} className="feed-mark" data-mark={m.id}>
            {m.text}
          </span>
        ))}
        {said.items.map((item, i) => (
          <div key={i} className="breakable">
            <Text span size="sm" fw={600}>
              {item.name}
            </Text>
            {item.count !== '' && (
              <Text span size="sm" className="numbers">
                {` ${item.count}`}
              </Text>
            )}
            {item.details !== '' && (
              <Text span size="sm" c="dimmed">
                {` ${item.details}`}
              </Text>
            )}
          </div>
        ))}
        {said.more !== '' && (
          <Text size="sm" c="dimmed">
            {said.more}
          </Text>
        )}
      </div>
      <Text size="sm" c="dimmed" component="div" className="feed-from breakable">
        {said.from}
        {entry.uid !== undefined && (
          <>
            {said.from !== '' && ' · '}
            <Anchor size="sm" underline="always" className="nowrap" renderRoot={(props) => <Link {...props} to="/apps/$appId/profiles/$uid" params={{ appId: appID, uid: entry.uid ?? '' }} />}>
              {t('live.user', { uid: entry.uid })}
            </Anchor>
          </>
        )}
      </Text>
    </li>
  );
});
