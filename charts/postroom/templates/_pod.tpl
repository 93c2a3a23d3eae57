{{- define "postroom.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "postroom.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: {{ . }}
capabilities: { drop: [ALL] }
{{- end }}

{{/* (list $ engines): VARIABLE -> { existingSecret, key }, the addresses of engines and their other secrets. Development
     engines have neither. */}}
{{- define "postroom.mounts" -}}
{{- $root := index . 0 -}}
{{- $variables := include "postroom.engineVariables" . | fromYaml -}}
{{- $mounts := dict -}}
{{- range $name := index . 1 -}}
{{- $variable := get $variables $name -}}
{{- if not (and $variable $root.Values.dev.engines.enabled) -}}
{{- $engine := index $root.Values.engines $name -}}
{{- if $variable -}}{{- $_ := set $mounts $variable (pick $engine "existingSecret" "key") -}}{{- end -}}
{{- $_ := mergeOverwrite $mounts $engine.secrets -}}
{{- end -}}
{{- end -}}
{{- toJson $mounts -}}
{{- end }}

{{/* (list $ settings): every file that a service is handed, by its variable. */}}
{{- define "postroom.files" -}}
{{- $root := index . 0 -}}
{{- $settings := index . 1 -}}
{{- $files := include "postroom.mounts" (list $root $settings.engines) | fromJson -}}
{{- if and (or $settings.operatorDoor $settings.operates) (not $root.Values.dev.engines.enabled) -}}
{{- $_ := set $files "OPERATOR_TOKEN" $root.Values.operators -}}
{{- end -}}
{{- if and (or $settings.accessDoor $settings.logsIn) (not $root.Values.dev.engines.enabled) -}}
{{- $_ := set $files "MAILBOX_ACCESS_TOKEN" $root.Values.mailboxAccess -}}
{{- end -}}
{{- if and $settings.mcpToken $root.Values.services.mcp.enabled (not $root.Values.dev.engines.enabled) -}}
{{- $_ := set $files "MCP_TOKEN" $root.Values.mcp -}}
{{- end -}}
{{- if and $settings.appToken $root.Values.services.app.enabled (not $root.Values.dev.engines.enabled) -}}
{{- $_ := set $files "APP_TOKEN" $root.Values.app -}}
{{- end -}}
{{- with $root.Values.grpcTls.existingSecret -}}
{{- $_ := set $files "GRPC_TLS_CERT" (dict "existingSecret" . "key" "tls.crt") -}}
{{- $_ := set $files "GRPC_TLS_KEY" (dict "existingSecret" . "key" "tls.key") -}}
{{- $_ := set $files "GRPC_TLS_CA" (dict "existingSecret" . "key" "ca.crt") -}}
{{- end -}}
{{- toJson (mergeOverwrite $files $settings.secrets) -}}
{{- end }}

{{/* (list $ engines): the addresses of development engines, and what engines say to all who use them. */}}
{{- define "postroom.engineEnv" -}}
{{- $root := index . 0 -}}
{{- $variables := include "postroom.engineVariables" . | fromYaml -}}
{{- $fullname := include "postroom.fullname" $root -}}
{{- $addresses := dict
  "mongodb" (printf "mongodb://%s-mongodb:27017/postroom?replicaSet=rs0" $fullname)
  "redis" (printf "redis://%s-redis:6379" $fullname)
  "kafka" (printf "%s-kafka:9092" $fullname) -}}
{{- $env := dict -}}
{{- range index . 1 -}}
{{- $_ := mergeOverwrite $env (index $root.Values.engines .).env -}}
{{- if and $root.Values.dev.engines.enabled (hasKey $variables .) -}}
{{- $_ := set $env (index $variables .) (index $addresses .) -}}
{{- end -}}
{{- end -}}
{{- toJson $env -}}
{{- end }}

{{/* (list $ name settings): everything the chart sets, with the service's own env laid over it. */}}
{{- define "postroom.environment" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $settings := index . 2 -}}
{{- $fullname := include "postroom.fullname" $root -}}
{{- $env := include "postroom.engineEnv" (list $root $settings.engines) | fromJson -}}
{{- range $variable, $_ := include "postroom.files" (list $root $settings) | fromJson -}}
{{- $_ := set $env (printf "%s_FILE" $variable) (printf "/etc/postroom/secrets/%s" $variable) -}}
{{- end -}}
{{- range $variable, $_ := $settings.folders -}}{{- $_ := set $env $variable (printf "/etc/postroom/folders/%s" $variable) -}}{{- end -}}
{{- if $settings.operatorDoor -}}{{- $_ := set $env "OPERATOR_PORT" "50052" -}}{{- end -}}
{{- if and (or $settings.operatorDoor $settings.operates) $root.Values.dev.engines.enabled -}}{{- $_ := set $env "OPERATOR_TOKEN" "development" -}}{{- end -}}
{{- if and (or $settings.accessDoor $settings.logsIn) $root.Values.dev.engines.enabled -}}{{- $_ := set $env "MAILBOX_ACCESS_TOKEN" "development-access" -}}{{- end -}}
{{- if and $settings.mcpToken $root.Values.services.mcp.enabled $root.Values.dev.engines.enabled -}}{{- $_ := set $env "MCP_TOKEN" "development-mcp" -}}{{- end -}}
{{- if and $settings.appToken $root.Values.services.app.enabled $root.Values.dev.engines.enabled -}}{{- $_ := set $env "APP_TOKEN" "development-app" -}}{{- end -}}
{{- range $callee := concat $settings.operates $settings.logsIn | uniq -}}
{{- if (include "postroom.settings" (list $root $callee) | fromJson).enabled -}}
{{- $_ := set $env (printf "%s_OPERATOR_ADDR" ($callee | upper | replace "-" "_")) (printf "%s-%s:50052" $fullname $callee) -}}
{{- end -}}
{{- end -}}
{{- range $callee := $settings.calls -}}
{{- $port := ternary "80" "50051" (eq (include "postroom.serves" (list $root $callee)) "http") -}}
{{- $_ := set $env (printf "%s_ADDR" ($callee | upper | replace "-" "_")) (printf "%s-%s:%s" $fullname $callee $port) -}}
{{- end -}}
{{- with get (dict "http" (list "HTTP_PORT" "8080") "grpc" (list "GRPC_PORT" "50051")) $settings.serves -}}
{{- $_ := set $env (first .) (last .) -}}
{{- end -}}
{{- $_ := set $env "ADMIN_PORT" "9464" -}}
{{- $_ := set $env "SHUTDOWN_DELAY" (printf "%ds" (int $settings.shutdown.delaySeconds)) -}}
{{- $_ := set $env "SHUTDOWN_GRACE" (printf "%ds" (int $settings.shutdown.graceSeconds)) -}}
{{- with include "postroom.heapFlag" (list $name $settings) -}}{{- $_ := set $env "NODE_OPTIONS" . -}}{{- end -}}
{{- with include "postroom.publicUrl" $root -}}{{- if eq $settings.serves "http" -}}{{- $_ := set $env "TRUSTED_PROXIES" "1" -}}{{- end -}}
{{- if eq $name "gateway" -}}{{- $_ := set $env "PUBLIC_URL" . -}}{{- end -}}
{{- if has $name (list "app" "operator") -}}{{- $_ := set $env "APP_URL" (trimSuffix "/api/v1" .) -}}{{- end -}}
{{- if eq $name "app" -}}{{- $_ := set $env "API_URL" . -}}{{- end -}}{{- end -}}
{{- if eq $name "mcp" -}}{{- $_ := set $env "MCP_URL" (include "postroom.mcpUrl" $root) -}}{{- end -}}
{{- with include "postroom.oauthIssuer" $root -}}
{{- if has $name (list "mcp" "identity") -}}{{- $_ := set $env "OAUTH_ISSUER" . -}}{{- $_ := set $env "MCP_URL" (include "postroom.mcpUrl" $root) -}}{{- end -}}
{{- end -}}
{{- if eq $name "app" -}}{{- include "postroom.requireApp" (list $root $settings $env) -}}{{- end -}}
{{- $needed := dict "changes" (list "changes") "webhooks" (list "changes" "webhook-delivery") -}}
{{- range $feature := $root.Values.features -}}
{{- range $service := get $needed $feature | default list -}}
{{- if not (include "postroom.settings" (list $root $service) | fromJson).enabled -}}
{{- fail (printf "features: %s needs services.%s.enabled=true" $feature $service) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with $root.Values.features -}}{{- if has $name (list "gateway" "app") -}}{{- $_ := set $env "FEATURES" (join "," .) -}}{{- end -}}{{- end -}}
{{- range $variable, $value := $settings.env -}}{{- $_ := set $env $variable $value -}}{{- end -}}
{{- if eq $name "classifier" -}}{{- include "postroom.requireModel" $env -}}{{- end -}}
{{- include "postroom.variables" $env -}}
{{- end }}

{{/* (list $ settings env): what the app cannot go without. */}}
{{- define "postroom.requireApp" -}}
{{- $settings := index . 1 -}}
{{- if not (or (hasKey (index . 2) "APP_URL") (hasKey $settings.env "APP_URL")) -}}
{{- fail "services.app.env.APP_URL: name the address that people open, or enable ingress or httpRoute" -}}
{{- end -}}
{{- if not (include "postroom.settings" (list (first .) "identity") | fromJson).enabled -}}
{{- fail "services.app: needs services.identity.enabled=true, where people and their sessions are" -}}
{{- end -}}
{{- end }}

{{/* The environment of the classifier, which does not start without the address of a model: in a Secret, or as text. */}}
{{- define "postroom.requireModel" -}}
{{- $address := get . "LLM_BASE_URL" -}}
{{- if not (or (hasKey . "LLM_BASE_URL_FILE") (kindIs "map" $address) (regexMatch "^https?://[^\\s/?#@]+([/?]\\S*)?$" (toString $address))) -}}
{{- fail "engines.llm.env.LLM_BASE_URL: name the endpoint of the model that the classifier asks, without a password, such as https://models.example/v1" -}}
{{- end -}}
{{- end }}

{{/* NAME -> text, or { secretKeyRef }, or null for none: as a container takes them. */}}
{{- define "postroom.variables" -}}
{{- range $variable, $value := . }}
{{- if kindIs "map" $value }}
- name: {{ $variable }}
  valueFrom: {{- toYaml $value | nindent 4 }}
{{- else if not (kindIs "invalid" $value) }}
- name: {{ $variable }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* Where clients find the API, or nothing where the chart does not know. */}}
{{- define "postroom.publicUrl" -}}
{{- with .Values.httpRoute -}}
{{- if and .enabled .hostnames -}}{{- printf "%s://%s/api/v1" .scheme (first .hostnames) -}}
{{- else -}}
{{- with $.Values.ingress -}}
{{- if .enabled -}}{{- printf "%s://%s/api/v1" (ternary "https" "http" (ne .tlsSecret "")) .host -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Where clients find the MCP server: where the chart does not know the public address, those of the cluster. */}}
{{- define "postroom.mcpUrl" -}}
{{- $own := (include "postroom.settings" (list . "mcp") | fromJson).env -}}
{{- if $own.MCP_URL -}}{{- $own.MCP_URL -}}{{- else -}}
{{- with include "postroom.publicUrl" . -}}{{- . | trimSuffix "/api/v1" -}}{{- else -}}{{- printf "http://%s-mcp" (include "postroom.fullname" .) -}}{{- end -}}/mcp
{{- end -}}
{{- end }}

{{/* The address of the app, where clients of the MCP server can ask people for access; else nothing. */}}
{{- define "postroom.oauthIssuer" -}}
{{- $app := include "postroom.settings" (list . "app") | fromJson -}}
{{- $isWhole := and $app.enabled (include "postroom.settings" (list . "identity") | fromJson).enabled (include "postroom.settings" (list . "mcp") | fromJson).enabled -}}
{{- if and $isWhole .Values.mcp.oauth -}}
{{- $app.env.APP_URL | default (include "postroom.publicUrl" . | trimSuffix "/api/v1") -}}
{{- end -}}
{{- end }}

{{/* (list $ name settings): the paths by which the public address leads to a service, as a list of JSON. */}}
{{- define "postroom.paths" -}}
{{- $settings := index . 2 -}}
{{- $paths := $settings.paths | default list -}}
{{- if and (eq (index . 1) "app") (include "postroom.oauthIssuer" (first .)) -}}
{{- $paths = concat $paths (list "/oauth" "/.well-known/oauth-authorization-server") -}}
{{- end -}}
{{- toJson (dict "items" $paths) -}}
{{- end }}

{{/* A map of NAME -> { existingSecret, key } as one projected volume: a file each, by the variable's name. */}}
{{- define "postroom.secretVolume" -}}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range $variable, $from := . }}
      - secret:
          name: {{ $from.existingSecret | quote }}
          items: [{ key: {{ $from.key | quote }}, path: {{ $variable }} }]
      {{- end }}
{{- end }}
