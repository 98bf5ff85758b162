import { Badge, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Page } from '../../components/Page';
import { FigureList, Section } from '../../components/Section';
import { useFormat } from '../../i18n';
import { about } from './api';

/** What runs here and whether it is well. */
export function AboutPage() {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Page title={t('nav.about')} share={false}>
      <Answer query={useQuery(about)}>
        {(data) => (
          <Stack gap="md" maw={760}>
            <FigureList
              figures={[
                { name: t('about.version'), value: data.version },
                {
                  name: t('about.health'),
                  value: (
                    <span className="health">
                      <span className="dot" data-on={data.healthy} aria-hidden />
                      {data.healthy ? t('about.well') : t('about.unwell')}
                    </span>
                  ),
                },
                { name: t('about.delay'), value: `${format.count(Math.round(data.delay))}\u00a0ms` },
              ]}
            />
            <Section title={t('about.modules')}>
              <Group gap="xs">
                {data.modules.map((name) => (
                  <Badge key={name} variant="default" size="lg" tt="none">
                    {name}
                  </Badge>
                ))}
              </Group>
            </Section>
          </Stack>
        )}
      </Answer>
    </Page>
  );
}
