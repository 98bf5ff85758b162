import { SegmentedControl, Text, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { languages, speak, type Language } from '../i18n';

/** Light, dark, or as the system has it. */
export function ThemeChoice() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Choice
      label={t('app.theme')}
      value={colorScheme}
      onChange={setColorScheme}
      data={
        [
          { value: 'auto', label: t('app.themeAuto') },
          { value: 'light', label: t('app.themeLight') },
          { value: 'dark', label: t('app.themeDark') },
        ] satisfies { value: MantineColorScheme; label: string }[]
      }
    />
  );
}

export function LanguageChoice() {
  const { t, i18n } = useTranslation();
  return (
    <Choice
      label={t('app.language')}
      value={i18n.language as Language}
      onChange={(lang) => void speak(lang)}
      data={(Object.keys(languages) as Language[]).map((value) => ({ value, label: languages[value] }))}
    />
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  data: { value: T; label: string }[];
}

function Choice<T extends string>({ label, value, onChange, data }: ChoiceProps<T>) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4} aria-hidden>
        {label}
      </Text>
      <SegmentedControl aria-label={label} fullWidth size="xs" value={value} onChange={onChange} data={data} />
    </div>
  );
}
