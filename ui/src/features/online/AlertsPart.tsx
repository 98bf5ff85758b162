import { Badge, Button, NumberInput, Select, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { Answer } from '../../components/Answer';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { FormDialog } from '../../components/form/FormDialog';
import { actionColumn } from '../../components/form/RowActions';
import { Section } from '../../components/Section';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { useMaking } from '../../lib/useView';
import { onlineAlerts, useDeleteAlert, useSaveAlert, useSwitchAlert, type Alert } from './api';

const kinds = ['max', 'min', 'none'] as const;
type Kind = (typeof kinds)[number];

const kindOf = (a: Pick<Alert, 'type' | 'def'>): Kind => (a.type === 'o' ? 'none' : a.def === 'min' ? 'min' : 'max');

/** The words of a condition. */
function useCondition() {
  const { t } = useTranslation();
  const format = useFormat();
  return (kind: Kind, users: number, minutes: number) => t(`online.condition.${kind}`, { users: format.count(users), minutes: format.count(minutes) });
}

/** The alerts of an app. */
export function AlertsPart({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const condition = useCondition();
  const member = useQuery(me).data;
  const can = (action: 'c' | 'u' | 'd') => member !== undefined && may(member, app._id, 'alerts', action);
  const remove = useDeleteAlert(app._id);
  const turn = useSwitchAlert(app._id);
  const [isMaking, make] = useMaking();
  const [open, setOpen] = useState<Alert>();
  const [leaving, setLeaving] = useState<Alert>();
  const words = (a: Alert) => condition(kindOf(a), a.users, a.minutes);
  const columns: Column<Alert>[] = [
    { key: 'name', title: t('online.name'), fixed: true, value: (a) => a.name, text: (a) => a.name },
    { key: 'condition', title: t('online.when'), value: words, text: words },
    { key: 'email', title: t('online.email'), value: (a) => a.email.join(', '), text: (a) => (a.email.length === 0 ? '–' : a.email.join(', ')) },
    {
      key: 'last',
      title: t('online.lastTriggered'),
      short: true,
      value: (a) => a.last_triggered ?? 0,
      text: (a) => (a.last_triggered === undefined ? '–' : format.moment(a.last_triggered, app.timezone)),
    },
    {
      key: 'enabled',
      title: t('online.state'),
      value: (a) => (a.enabled ? a.status : 'off'),
      text: (a) => t(`online.states.${!a.enabled ? 'off' : a.status === 'triggered' ? 'triggered' : 'ready'}`),
      cell: (a) => (
        <>
          {can('u') ? (
            <Switch
              size="xs"
              aria-label={t('online.switch', { what: a.name })}
              checked={a.enabled}
              label={t(`online.states.${a.enabled ? 'ready' : 'off'}`)}
              onChange={(e) => turn.mutate({ id: a._id, on: e.currentTarget.checked })}
            />
          ) : (
            t(`online.states.${a.enabled ? 'ready' : 'off'}`)
          )}
          {a.enabled && a.status === 'triggered' && (
            <Badge mt={4} variant="default">
              {t('online.states.triggered')}
            </Badge>
          )}
        </>
      ),
    },
    actionColumn((a) => [
      ...(can('c') && can('u') ? [{ label: t('app.edit'), name: t('online.editWhat', { what: a.name }), onClick: () => setOpen(a) }] : []),
      ...(can('d') ? [{ label: t('app.delete'), name: t('app.deleteWhat', { what: a.name }), danger: true, onClick: () => setLeaving(a) }] : []),
    ]),
  ];
  return (
    <Section
      title={t('online.alerts')}
      lead={t('online.alertsLead')}
      actions={
        can('c') && (
          <Button size="xs" className="no-print" onClick={() => make(true)}>
            {t('online.addAlert')}
          </Button>
        )
      }
    >
      <Answer query={useQuery(onlineAlerts(app._id))}>
        {(alerts) => {
          const own = alerts.filter((a) => a.app === app._id);
          return own.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('online.noAlerts')}
            </Text>
          ) : (
            <DataTable caption={t('online.alerts')} columns={columns} rows={own} file={`${app.name} ${t('online.alerts')}`} />
          );
        }}
      </Answer>
      {(isMaking || open !== undefined) && (
        <AlertForm
          app={app}
          {...(open === undefined ? {} : { alert: open })}
          onClose={() => {
            make(false);
            setOpen(undefined);
          }}
        />
      )}
      {leaving !== undefined && <ConfirmDelete what={leaving.name} id={leaving._id} remove={remove} done={t('online.alertDeleted')} onClose={() => setLeaving(undefined)} />}
    </Section>
  );
}

function AlertForm({ app, alert, onClose }: { app: App; alert?: Alert; onClose: () => void }) {
  const { t } = useTranslation();
  const condition = useCondition();
  const mine = useQuery(me).data?.email;
  const save = useSaveAlert(app._id);
  const [name, setName] = useState(alert?.name ?? '');
  const [kind, setKind] = useState<Kind>(alert === undefined ? 'max' : kindOf(alert));
  const [users, setUsers] = useState<number | string>(alert?.users ?? 100);
  const [minutes, setMinutes] = useState<number | string>(alert?.minutes ?? 5);
  const [email, setEmail] = useState<string[]>(alert?.email ?? (mine === undefined ? [] : [mine]));
  const whole = (n: number | string) => typeof n === 'number' && Number.isInteger(n) && n >= 0;
  const ready = name.trim() !== '' && (kind === 'none' || (whole(users) && whole(minutes)));
  const submit = () =>
    save.mutate(
      {
        ...(alert === undefined ? {} : { _id: alert._id }),
        name: name.trim(),
        condition_title: condition(kind, Number(users), Number(minutes)),
        ...(kind === 'none' ? { type: 'o' } : { type: 't', def: kind, users: Number(users), minutes: Number(minutes) }),
        email,
        enabled: alert?.enabled ?? true,
      },
      {
        onSuccess: () => {
          toasts.show(t('online.alertSaved'));
          onClose();
        },
      },
    );
  return (
    <FormDialog title={alert === undefined ? t('online.addAlert') : t('online.editAlert')} pending={save.isPending} error={save.error} ready={ready} onSubmit={submit} onClose={onClose}>
      <TextInput label={t('online.name')} data-autofocus required maxLength={200} value={name} onChange={(e) => setName(e.currentTarget.value)} />
      <Select
        label={t('online.when')}
        allowDeselect={false}
        value={kind}
        data={kinds
          .filter((value) => alert === undefined || (value === 'none') === (kindOf(alert) === 'none'))
          .map((value) => ({ value, label: t(`online.kinds.${value}`) }))}
        onChange={(next) => setKind(kinds.find((one) => one === next) ?? 'max')}
      />
      {kind !== 'none' && (
        <>
          <NumberInput label={t('online.users')} required min={0} max={1_000_000_000} allowDecimal={false} value={users} onChange={setUsers} />
          <NumberInput label={t('online.minutes')} description={t('online.minutesHint')} required min={1} max={120} allowDecimal={false} value={minutes} onChange={setMinutes} />
        </>
      )}
      <TagsInput label={t('online.email')} description={t('online.emailHint')} value={email} onChange={setEmail} maxTags={20} splitChars={[',', ';', ' ']} />
    </FormDialog>
  );
}
