{{/* (list $ components): network policy peers */}}
{{- define "postroom.peers" -}}
{{- $root := index . 0 -}}
{{- range index . 1 }}
- podSelector:
    matchLabels: {{- include "postroom.selectorLabels" (list $root .) | nindent 6 }}
{{- end }}
{{- end }}

{{/* DNS: any pod that answers it, and the node-local cache, whose address is no pod's. */}}
{{- define "postroom.dnsEgress" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
  to:
    - namespaceSelector: {}
    - ipBlock: { cidr: 169.254.20.10/32 }
{{- end }}

{{/* (list $ engine). Whoever gets into a pod must not get at the cloud's credentials: the metadata address stays out. */}}
{{- define "postroom.engineEgress" -}}
{{- $root := index . 0 -}}
{{- $engine := index $root.Values.engines (index . 1) -}}
{{- $isOurs := and $root.Values.dev.engines.enabled (hasKey (include "postroom.engineVariables" . | fromYaml) (index . 1)) -}}
- ports:
    {{- if $isOurs }}
    - { port: engine, protocol: TCP }
    {{- else }}
    {{- range $engine.ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
    {{- end }}
  to:
    {{- if $isOurs }}
    {{- include "postroom.peers" (list $root (list (index . 1))) | trim | nindent 4 }}
    {{- else if $engine.to }}
    {{- toYaml $engine.to | nindent 4 }}
    {{- else }}
    # An engine of this cluster is a pod, and not every network plugin counts pods among addresses.
    - namespaceSelector: {}
    - ipBlock: { cidr: 0.0.0.0/0, except: [169.254.0.0/16] }
    - ipBlock: { cidr: '::/0', except: ['fe80::/10', 'fd00:ec2::254/128'] }
    {{- end }}
{{- end }}
