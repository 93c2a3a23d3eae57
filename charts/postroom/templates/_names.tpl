{{/* What objects begin with: 40 characters at most, so that the longest suffix still fits into 63. A name that is cut
     keeps a hash of the whole, so that two long releases in one namespace do not meet. */}}
{{- define "postroom.fullname" -}}
{{- $name := .Values.fullnameOverride | default (ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name)) -}}
{{- if gt (len $name) 40 -}}
{{- printf "%s-%s" ($name | trunc 31 | trimSuffix "-") ($name | sha256sum | trunc 8) -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end }}

{{/* (list $ component) */}}
{{- define "postroom.selectorLabels" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name | quote }}
{{- with index . 1 }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* (list $ component); the version stays off selectors and pods, so that an upgrade of the chart alone restarts nothing. */}}
{{- define "postroom.labels" -}}
{{- $root := index . 0 -}}
{{ include "postroom.selectorLabels" . }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- end }}

{{/* (list $ component) */}}
{{- define "postroom.metadata" -}}
name: {{ printf "%s-%s" (include "postroom.fullname" (index . 0)) (index . 1) | quote }}
namespace: {{ (index . 0).Release.Namespace | quote }}
labels: {{- include "postroom.labels" . | nindent 2 }}
{{- end }}
