{{- define "quipu.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "quipu.selector" -}}
app.kubernetes.io/name: quipu
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "quipu.labels" -}}
{{ include "quipu.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}
