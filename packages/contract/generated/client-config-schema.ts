// Written by `npm run generate` from the contract. Do not edit.
export const clientConfigSchema = {
  "type": "object",
  "properties": {
    "modelId": {
      "type": "string",
      "maxLength": 200,
      "pattern": "\\S",
      "description": "The model that answers, such as fettle/rules-1"
    },
    "systemPrompt": {
      "type": "string",
      "maxLength": 100000,
      "description": "What the model is told before anything else"
    },
    "temperature": {
      "type": "number",
      "minimum": 0,
      "maximum": 2,
      "description": "0 repeats itself, 2 wanders"
    },
    "requireToolApproval": {
      "type": "boolean",
      "description": "Ask a person before a tool is called"
    },
    "connectionDefaults": {
      "type": "object",
      "properties": {
        "headers": {
          "description": "Sent to every server; no credentials",
          "type": "object",
          "additionalProperties": {
            "type": "string"
          }
        },
        "requestTimeout": {
          "description": "Milliseconds",
          "type": "number",
          "exclusiveMinimum": 0,
          "maximum": 600000
        }
      },
      "additionalProperties": {},
      "description": "How every server is reached, unless it says otherwise"
    },
    "respectToolVisibility": {
      "type": "boolean",
      "description": "Hide tools from the model that are meant for widgets only"
    },
    "progressiveToolDiscovery": {
      "type": "boolean",
      "description": "Let the model search for tools instead of being told all"
    },
    "harness": {
      "type": "string",
      "enum": [
        "claude-code",
        "codex"
      ],
      "description": "Run inside a coding agent"
    },
    "computer": {
      "type": "object",
      "properties": {
        "kind": {
          "type": "string",
          "enum": [
            "personal",
            "ephemeral"
          ]
        },
        "workdir": {
          "description": "Where it starts",
          "type": "string"
        }
      },
      "required": [
        "kind"
      ],
      "additionalProperties": {},
      "description": "A machine the model may use"
    },
    "skillSelection": {
      "anyOf": [
        {
          "type": "object",
          "properties": {
            "mode": {
              "type": "string",
              "const": "all-visible"
            }
          },
          "required": [
            "mode"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "mode": {
              "type": "string",
              "const": "explicit"
            },
            "skillIds": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "mode",
            "skillIds"
          ],
          "additionalProperties": false
        }
      ],
      "description": "Which skills the model is offered"
    },
    "modelVisibleMcpToolResults": {
      "type": "object",
      "additionalProperties": {},
      "description": "Which parts of a tool's result the model sees"
    },
    "mcpToolResultImageRendering": {
      "type": "object",
      "additionalProperties": {},
      "description": "Where images of a result are shown"
    },
    "mcpProfile": {
      "type": "object",
      "additionalProperties": {},
      "description": "How it speaks MCP: versions, pagination, extensions"
    },
    "hostCapabilitiesOverride": {
      "type": "object",
      "additionalProperties": {},
      "description": "What widgets are told that the host can do"
    },
    "chatUiOverride": {
      "type": "object",
      "additionalProperties": {},
      "description": "What its chat looks like"
    },
    "builtInToolIds": {
      "type": "array",
      "items": {
        "type": "string"
      },
      "description": "Tools it has besides those of its servers"
    },
    "hostStyle": {
      "description": "The host it behaves like",
      "type": "string"
    },
    "serverIds": {
      "description": "The servers it is attached to",
      "type": "array",
      "items": {
        "type": "string"
      }
    },
    "optionalServerIds": {
      "description": "Those it can do without",
      "type": "array",
      "items": {
        "type": "string"
      }
    },
    "clientCapabilities": {
      "description": "What it tells servers that it can do",
      "type": "object",
      "additionalProperties": {}
    },
    "hostContext": {
      "description": "What widgets are told about where they are shown",
      "type": "object",
      "additionalProperties": {}
    },
    "oauthProfile": {
      "description": "How it signs in to servers",
      "type": "object",
      "additionalProperties": {}
    },
    "serverConnectionOverrides": {
      "description": "How single servers are reached, by their id",
      "type": "object",
      "additionalProperties": {
        "type": "object",
        "additionalProperties": {}
      }
    }
  },
  "required": [
    "modelId"
  ],
  "additionalProperties": {}
};
