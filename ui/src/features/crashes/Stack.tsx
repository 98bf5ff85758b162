import { Button, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { CopyButton } from '../../components/CopyBlock';
import { DownloadIcon } from '../../components/icons';
import { Section } from '../../components/Section';
import { useSaveFile } from '../../components/useSaveFile';
import type { Group } from './api';
import { framesOf, type Frame } from './figures';

/** The stack of a group as its first report has it: the app's own frames, or all of them. */
export function Stack({ app, group }: { app: App; group: Group }) {
  const { t } = useTranslation();
  const saveFile = useSaveFile();
  const [raw, setRaw] = useState(false);
  const text = raw ? (group.raw_error ?? group.error) : group.error;
  const frames = framesOf(text);
  const own = frames.filter((f) => f.own).length;
  const foreign = frames.filter((f) => f.frame && !f.own).length;
  const splits = own > 0 && foreign > 0;
  const [all, setAll] = useState(false);
  const latest = group.data.find((r) => r.error !== '');
  const title = t('crashes.stack');
  return (
    <Section
      title={title}
      lead={[splits ? t('crashes.frames', { own, all: own + foreign }) : '', group.raw_error !== undefined && !raw ? t('crashes.symbolicated') : ''].join(' ').trim() || undefined}
      actions={
        <div className="crash-tools no-print">
          {group.raw_error !== undefined && (
            <SegmentedControl
              size="xs"
              aria-label={t('crashes.whichText')}
              value={raw ? 'raw' : 'readable'}
              onChange={(which) => setRaw(which === 'raw')}
              data={[
                { value: 'readable', label: t('crashes.readable') },
                { value: 'raw', label: t('crashes.raw') },
              ]}
            />
          )}
          {splits && (
            <SegmentedControl
              size="xs"
              aria-label={t('crashes.whichFrames')}
              value={all ? 'all' : 'own'}
              onChange={(which) => setAll(which === 'all')}
              data={[
                { value: 'own', label: t('crashes.ownFrames') },
                { value: 'all', label: t('crashes.allFrames') },
              ]}
            />
          )}
          {latest !== undefined && (
            <Button
              size="xs"
              variant="default"
              leftSection={<DownloadIcon size={16} />}
              onClick={() => void saveFile('/o/crashes/download_stacktrace', { app_id: app._id, crash_id: latest._id })}
            >
              {t('crashes.downloadStack')}
            </Button>
          )}
          <CopyButton what={title} text={text} />
        </div>
      }
    >
      {frames.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('crashes.noStack')}
        </Text>
      ) : (
        <Frames label={title} frames={frames} folded={splits && !all} />
      )}
    </Section>
  );
}

/** The lines of a stack; what is not of the app is folded to a line that says how much it is. */
export function Frames({ label, frames, folded }: { label: string; frames: readonly Frame[]; folded: boolean }) {
  const { t } = useTranslation();
  return (
    <ol className="crash-stack" dir="ltr" tabIndex={0} aria-label={label}>
      {(folded ? fold(frames) : frames.map((frame) => ({ frame, hidden: 0 }))).map(({ frame, hidden }, at) => (
        <li key={at} data-own={frame?.own === true || undefined} data-message={frame?.frame === false || undefined}>
          {frame === undefined ? t('crashes.hiddenFrames', { count: hidden }) : frame.text}
        </li>
      ))}
    </ol>
  );
}

/** Lines with runs of foreign frames as one. */
function fold(frames: readonly Frame[]): { frame: Frame | undefined; hidden: number }[] {
  const out: { frame: Frame | undefined; hidden: number }[] = [];
  for (const frame of frames) {
    const last = out.at(-1);
    if (!frame.frame || frame.own) out.push({ frame, hidden: 0 });
    else if (last !== undefined && last.frame === undefined) last.hidden++;
    else out.push({ frame: undefined, hidden: 1 });
  }
  return out;
}
